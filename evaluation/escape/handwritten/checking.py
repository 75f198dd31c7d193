"""Runs each claim through the checks of a turn, as a written sentence that cites its passage."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from corpus.domain.passage import Passage
from evaluation.escape.handwritten.claims import HandwrittenClaim
from lectorium.asking import examine
from lectorium.providers.protocols import Verifier
from lectorium.providers.stand_ins.scripted import Reply, ScriptedChat
from lectorium.report_table import table

AT_ONCE = 12  # concurrent claims, which share the verifier's batches
KINDS = {"lecture": "lecture", "encyclopedia": "library", "verses": "verse"}
SHOWN = ("supported", "partial", "inferred", "framing")
WITHHELD = ("withheld: unsupported", "withheld: contradicted")
OUTCOMES = (*SHOWN, *WITHHELD)
WEAKEST_PROOF_FIRST = ("checked", "verified", "quoted")


@dataclass(frozen=True, slots=True)
class CheckedHandwritten:
    """A claim as a reader would see it. outcome: one of OUTCOMES. proof: chat.answering.domain.answer.Proved."""

    claim: HandwrittenClaim
    outcome: str
    proof: str = ""

    @property
    def is_shown(self) -> bool:
        return self.outcome in SHOWN

    @property
    def is_supported(self) -> bool:
        """Whether it is shown as supported: as verified, or as checked in other words."""
        return self.outcome == "supported"

    @property
    def is_verified(self) -> bool:
        """Whether it is shown as verified, or as quoted."""
        return self.is_supported and self.proof in ("verified", "quoted")


async def check_claims(
    claims: Sequence[HandwrittenClaim], judge: Verifier | None, on_each: Callable[[], object]
) -> list[CheckedHandwritten]:
    """Check claims with `judge`, by default the verifier in use. The result is in the order of the claims."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def check(claim: HandwrittenClaim) -> CheckedHandwritten:
        async with gate:
            author = ScriptedChat(Reply.of(f"{claim.text} [^1]"))
            examined = await examine("", [_passage(claim)], author, judge)
        on_each()
        return _checked(claim, examined["sentences"])

    return await asyncio.gather(*map(check, claims))


def verdict_counts(checked: Sequence[CheckedHandwritten], labels: Sequence[str]) -> dict[str, dict[str, int]]:
    """Counts of OUTCOMES by label, and by "label: kind" where the claim has a kind."""
    counts: dict[str, Counter[str]] = {}
    for claim in checked:
        label, kind = claim.claim.label, claim.claim.kind
        for name in (label, *([f"{label}: {kind}"] if kind else [])):
            counts.setdefault(name, Counter())[claim.outcome] += 1
    order = sorted(counts, key=lambda name: (labels.index(name.partition(":")[0]), name))
    return {name: {outcome: counts[name][outcome] for outcome in OUTCOMES} for name in order}


def verdict_table(counts: Mapping[str, Mapping[str, int]]) -> list[str]:
    """The table of verdict_counts."""
    rows = []
    for name, by_outcome in counts.items():
        label, _, kind = name.partition(": ")
        title = f"– {kind.replace('_', ' ')}" if kind else f"**{label.replace('_', ' ')}**"
        rows.append((title, *by_outcome.values()))
    return table(("label", *OUTCOMES), rows, right=OUTCOMES)


def _checked(claim: HandwrittenClaim, sentences: Sequence[Mapping[str, Any]]) -> CheckedHandwritten:
    """The weakest sentence decides. A claim without a sentence left by the gauntlet is withheld."""
    withheld = [sentence["verdict"] for sentence in sentences if not sentence["shown"]]
    if withheld or not sentences:
        return CheckedHandwritten(claim, f"withheld: {'contradicted' if 'contradicted' in withheld else 'unsupported'}")
    weakest = max((sentence["verdict"] for sentence in sentences), key=SHOWN.index)
    proofs = {sentence["proof"] for sentence in sentences}
    return CheckedHandwritten(claim, weakest, next((proof for proof in WEAKEST_PROOF_FIRST if proof in proofs), ""))


def _passage(claim: HandwrittenClaim) -> Passage:
    key = uuid5(NAMESPACE_URL, claim.passage)
    return Passage(key, key, KINDS[claim.source], claim.passage, "", claim.evidence, "", 0)
