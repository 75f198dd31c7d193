"""Looks in other collections for a sentence that the asked scope does not prove, where its reader may know of them.

The sentence stays withheld; only the reason says where it stands. Searched is what the reader could have asked:
published sources of collections visible to them.
"""

import logging
from collections.abc import Iterable
from dataclasses import replace

from chat.answering.answer_stream import AnswerStream
from chat.answering.current_turn import CurrentTurn
from chat.answering.domain.answer import WithheldSentence
from chat.answering.domain.checking import CheckRules, Proof, VerifiedSentence
from chat.answering.domain.evidence.pool import PoolLimits
from chat.answering.domain.footnotes import mint
from chat.answering.domain.question import Question
from chat.answering.stages.plan import plan_question
from chat.answering.stages.retrieve import retrieve_candidates
from chat.answering.stages.verify import Verification
from chat.answering.verifiers import library_of
from corpus.selectors import collection_titles, serving_space
from lectorium.providers.registry import verifier
from lectorium.threads import in_thread

log = logging.getLogger(__name__)

LIMITS = PoolLimits(cap=12, forced=3)
UNPROVED = frozenset({"uncited", "unsupported_claims"})  # a forged quotation is withheld wherever its words stand


async def find_in_other_scopes(
    turn: CurrentTurn, stream: AnswerStream, checked: VerifiedSentence, most: int
) -> VerifiedSentence:
    """Give a withheld sentence the reason "other_scope" where a source outside the scope proves it.

    Any other sentence comes back as it was. `most`: how many sentences of a turn are looked for. A failing look-up
    changes nothing.
    """
    withheld = checked.withheld
    if not withheld or withheld.reason not in UNPROVED or not turn.question.viewer.elsewhere:
        return checked
    if len(stream.lookups) >= most:
        return checked
    try:
        found_in = await in_thread(_named, await _proofs(turn.question, checked))
    except Exception:
        log.exception("turn %s: looking outside the scope failed", turn.turn_id)
        found_in = ""
    stream.lookups.append({"text": checked.drafted.text, "found_in": found_in})
    if not found_in:
        return checked
    return replace(checked, withheld=WithheldSentence("other_scope", withheld.verdict, found_in))


async def _proofs(asked: Question, checked: VerifiedSentence) -> tuple[Proof, ...]:
    """What outside the scope proves the whole sentence, under every guard; nothing where only a part is proved."""
    there = replace(asked.viewer, languages=(), kinds=(), sources=())
    outside = replace(there, collections=asked.viewer.elsewhere, sees_all=False, elsewhere=())
    plan = await in_thread(plan_question, Question(checked.drafted.text, outside))
    pool = await retrieve_candidates(plan, outside, LIMITS, await in_thread(serving_space))
    notes = mint(candidate.passage for candidate in pool.candidates)
    library = await in_thread(library_of, outside, asked.locale)
    checks = Verification(notes, verifier(), CheckRules(), question=asked.text, library=library)
    found = await in_thread(checks.check, replace(checked.drafted, markers=(), inherited=()))
    return found.proofs if found.verdict == "supported" else ()


def _named(proofs: Iterable[Proof]) -> str:
    """The titles of the passages' sources, each with its collection's; "" for none."""
    passages = [proof.passage for proof in proofs]
    collections = collection_titles([passage.chunk_id for passage in passages])
    return ", ".join(dict.fromkeys(f"{passage.title} ({collections[passage.chunk_id]})" for passage in passages))
