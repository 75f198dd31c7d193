"""Puts each hand-written claim through the checks of a turn, as a written sentence that cites its passage."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from corpus.domain.passage import Passage
from evaluation.escape.handwritten.claims import HandwrittenClaim
from lectorium.asking import examine
from lectorium.providers.protocols import Verifier
from lectorium.providers.stand_ins.scripted import Reply, ScriptedChat

AT_ONCE = 12  # claims checked together, so that they share the verifier's batches
KINDS = {"lecture": "lecture", "encyclopedia": "library", "verses": "verse"}
SHOWN = ("supported", "partial", "inferred", "framing")
WITHHELD = ("withheld: unsupported", "withheld: contradicted")
OUTCOMES = (*SHOWN, *WITHHELD)
WEAKEST_PROOF_FIRST = ("checked", "verified", "quoted")


@dataclass(frozen=True, slots=True)
class CheckedHandwritten:
    """What a reader would see of a claim. outcome: one of OUTCOMES. proof: see chat.answering.domain.answer.Proved."""

    claim: HandwrittenClaim
    outcome: str
    proof: str = ""

    @property
    def is_shown(self) -> bool:
        return self.outcome in SHOWN

    @property
    def is_supported(self) -> bool:
        """Is it shown as supported: as verified, or as checked in other words?"""
        return self.outcome == "supported"

    @property
    def is_verified(self) -> bool:
        """Is it shown as verified, or as the source's own words?"""
        return self.is_supported and self.proof in ("verified", "quoted")


async def check_claims(
    claims: Sequence[HandwrittenClaim], judge: Verifier | None, on_each: Callable[[], object]
) -> list[CheckedHandwritten]:
    """Check every claim with `judge`, or with the verifier in use, and return what became of each, in order."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def check(claim: HandwrittenClaim) -> CheckedHandwritten:
        async with gate:
            author = ScriptedChat(Reply.of(f"{claim.text} [^1]"))
            examined = await examine("", [_passage(claim)], author, judge)
        on_each()
        return _checked(claim, examined["sentences"])

    return await asyncio.gather(*map(check, claims))


def _checked(claim: HandwrittenClaim, sentences: Sequence[Mapping[str, Any]]) -> CheckedHandwritten:
    """The weakest sentence decides. A claim of which nothing came through the gauntlet is withheld."""
    withheld = [sentence["verdict"] for sentence in sentences if not sentence["shown"]]
    if withheld or not sentences:
        return CheckedHandwritten(claim, f"withheld: {'contradicted' if 'contradicted' in withheld else 'unsupported'}")
    weakest = max((sentence["verdict"] for sentence in sentences), key=SHOWN.index)
    proofs = {sentence["proof"] for sentence in sentences}
    return CheckedHandwritten(claim, weakest, next((proof for proof in WEAKEST_PROOF_FIRST if proof in proofs), ""))


def _passage(claim: HandwrittenClaim) -> Passage:
    key = uuid5(NAMESPACE_URL, claim.passage)
    return Passage(key, key, KINDS[claim.source], claim.passage, "", claim.evidence, "", 0)
