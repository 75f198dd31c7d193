"""The hand-written bar: the share of falsehoods a verifier may support for its verdicts to be called "verified".

The target is in docs/thresholds.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

MOST_VERIFIED_FALSE = 0.02  # share of the hand-written falsehoods


@dataclass(frozen=True, slots=True)
class HandwrittenBar:
    """The bar's result. verified_false_share: 0..1 of the falsehoods. claim_set: hash of the set's file."""

    verified_false_share: float
    claim_set: str

    @property
    def passed(self) -> bool:
        return self.verified_false_share <= MOST_VERIFIED_FALSE

    def as_dict(self) -> dict[str, Any]:
        """The form stored beside the weights."""
        return {"verified_false_share": self.verified_false_share, "passed": self.passed, "set": self.claim_set}

    @classmethod
    def from_dict(cls, stored: Mapping[str, Any]) -> "HandwrittenBar":
        """Read what `as_dict` wrote; `passed` is derived from the share, not trusted."""
        return cls(float(stored["verified_false_share"]), str(stored["set"]))
