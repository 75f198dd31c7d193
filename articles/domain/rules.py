"""How much an article is compiled from."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CompileRules:
    """Evidence: docs/thresholds.md.

    sources: most passages that a compiler is given. clips: most of an anthology. within: a clip scores at most this
    much less than the best. topic_chars: shortest topic. seconds: for a model's draft, over all rungs.
    """

    sources: int = 12
    clips: int = 10
    within: float = 0.6
    topic_chars: int = 3
    seconds: float = 300.0
