"""Where a sentence is said that the asked scope does not prove: in another collection, if its reader may know of it.

It stays withheld; only the reason says where it stands. What is looked through is what the reader could have asked:
published sources of collections visible to them.
"""

import logging
from collections.abc import Iterable
from dataclasses import replace

from chat.answering.domain.answer import WithheldSentence
from chat.answering.domain.checking import CheckRules, Proof, VerifiedSentence
from chat.answering.domain.evidence.pool import PoolLimits
from chat.answering.domain.footnotes import mint
from chat.answering.domain.question import Question
from chat.answering.journal import Journal
from chat.answering.stages.plan import plan_question
from chat.answering.stages.retrieve import retrieve_candidates
from chat.answering.stages.verify import Verification
from chat.answering.verifiers import library_of
from corpus.selectors import collection_titles, serving_space
from lectorium.providers.registry import verifier
from lectorium.threads import in_thread

log = logging.getLogger(__name__)

LIMITS = PoolLimits(cap=12, forced=3)
UNPROVED = frozenset({"uncited", "unsupported_claims"})  # a forged quotation stays what it is, wherever it stands


async def find_in_other_scopes(journal: Journal, one: VerifiedSentence, most: int) -> VerifiedSentence:
    """Return a withheld sentence with the reason "other_scope" where a source outside the scope proves it.

    Anything else comes back as it was. `most`: sentences of a turn that are looked for. A look-up that fails
    changes nothing.
    """
    if not one.withheld or one.withheld.reason not in UNPROVED or not journal.question.viewer.elsewhere:
        return one
    looked = journal.trace.setdefault("elsewhere", [])
    if len(looked) >= most:
        return one
    try:
        found_in = await in_thread(_named, await _proofs(journal.question, one))
    except Exception:
        log.exception("turn %s: looking outside the scope failed", journal.turn_id)
        found_in = ""
    looked.append({"text": one.drafted.text, "found_in": found_in})
    return replace(one, withheld=WithheldSentence("other_scope", one.withheld.verdict, found_in)) if found_in else one


async def _proofs(asked: Question, one: VerifiedSentence) -> tuple[Proof, ...]:
    """Return what outside the scope proves the whole sentence, every guard heard; nothing where that is in part."""
    there = replace(asked.viewer, languages=(), kinds=(), sources=())
    outside = replace(there, collections=asked.viewer.elsewhere, sees_all=False, elsewhere=())
    plan = await in_thread(plan_question, Question(one.drafted.text, outside))
    pool = await retrieve_candidates(plan, outside, LIMITS, await in_thread(serving_space))
    notes = mint(candidate.passage for candidate in pool.candidates)
    library = await in_thread(library_of, outside, asked.locale)
    checks = Verification(notes, verifier(), CheckRules(), question=asked.text, library=library)
    found = await in_thread(checks.check, replace(one.drafted, markers=(), inherited=()))
    return found.proofs if found.verdict == "supported" else ()


def _named(proofs: Iterable[Proof]) -> str:
    """Return the titles of the passages' sources, each with its collection's; "" for none."""
    passages = [proof.passage for proof in proofs]
    collections = collection_titles([passage.chunk_id for passage in passages])
    return ", ".join(dict.fromkeys(f"{passage.title} ({collections[passage.chunk_id]})" for passage in passages))
