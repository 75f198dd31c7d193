"""Examines drafts that a model writes from given passages, and claims that are to be stored, as a turn would.

The escape test measures the checks here, through lectorium.asking. The library is the shipped one, so that a
measurement is the same on every site.
"""

import functools
from collections.abc import Sequence
from contextlib import aclosing
from itertools import chain
from typing import Any

from chat.answering.domain.checking import CheckRules, VerifiedSentence
from chat.answering.domain.english import (
    CheckedClaim,
    Library,
    TurnContext,
    VerifierJudgement,
    check_claim,
    claim_sources,
)
from chat.answering.domain.footnotes import mint, minted
from chat.answering.domain.terms import evidence_terms
from chat.answering.domain.words import sentences_in, words_in
from chat.answering.domain.writing_rules import WritingRules
from chat.answering.stages.verify import Verification, source_of
from chat.answering.stages.write import Draft, answer_slots
from chat.answering.streaming import checked_stream
from chat.answering.verifiers import verifier_for
from corpus.catalogue.glossary import grouped, look_up, stems_of_terms, whole_terms
from corpus.domain.addresses.book_names import shelf, spellings
from corpus.domain.addresses.words import AddressBook
from corpus.domain.glossary import FIRST_ENTRIES
from corpus.domain.passage import Passage
from corpus.domain.text.folding import fold
from corpus.language import lexeme
from lectorium.ladder.prompts import shipped
from lectorium.providers.protocols import ChatModel, Judgement, Verifier
from lectorium.providers.registry import verifier

NOT_SHOWN = frozenset({"time"})  # seconds of a recording are not part of what a text says
LONGEST = 4000  # tokens of a draft; these models cost nothing


async def examine_draft(
    question: str,
    passages: Sequence[Passage],
    author: ChatModel,
    judge: Verifier | None = None,
    background: Sequence[str] = (),
) -> dict[str, Any]:
    """Return what would be shown of the author's draft. See lectorium.asking.examine."""
    notes = mint(passages)
    messages = shipped("synthesize").fill(**answer_slots(question, notes, (), WritingRules(), background))
    pieces = author.stream(messages, max_tokens=LONGEST, temperature=0.0)
    draft = Draft(pieces, minted(notes))  # type: ignore[arg-type]
    judge = judge or verifier()
    check = Verification(notes, judge, CheckRules(), question=question, library=shipped_library()).check
    async with aclosing(checked_stream(draft.sentences(), check, [])) as stream:
        checked = [sentence async for sentence in stream]
    return {
        "sentences": [_sentence(sentence) for sentence in checked],
        "dropped": [{"reason": dropped.reason.value, "text": dropped.text} for dropped in draft.dropped],
    }


@functools.cache
def shipped_library() -> Library:
    """The books and the glossary of a new site, as the checks use them. Reads no database."""
    books = {fold(name): book for book, others in shelf() for name in spellings([book.label, book.title, *others])}
    entries = grouped((term, *others) for term, others in FIRST_ENTRIES.items())
    terms = whole_terms(chain.from_iterable((term, *others) for term, others in FIRST_ENTRIES.items()))
    return Library(
        lambda text: look_up(text, entries).alternatives, AddressBook(books), lambda text: stems_of_terms(text, terms)
    )


def _sentence(sentence: VerifiedSentence) -> dict[str, Any]:
    return {
        "text": sentence.drafted.text,
        "verdict": sentence.verdict,
        "proof": sentence.proof,
        "shown": sentence.withheld is None,
        "reason": sentence.withheld.reason if sentence.withheld else "",
        "citations": [proof.note for proof in sentence.proofs],
        "quote": next((proof.passage.text[slice(*proof.span)] for proof in sentence.proofs), ""),
        "guards": sorted({objection.guard for objection in sentence.objections}),
    }


def check_stored_claims(
    claims: Sequence[tuple[Passage, str]], *, author: str = "", judge: Verifier | None = None
) -> list[dict[str, Any]]:
    """See lectorium.asking.check_claims. One pass of the verifier for all of them."""
    rules = CheckRules()
    judge = judge or verifier_for("", "facts", author)
    turn = TurnContext(lexeme, library=shipped_library())
    known = {passage.chunk_id: claim_sources({0: source_of(passage)}, turn) for passage, _ in claims}
    read = [known[passage.chunk_id] for passage, _ in claims]
    judged = judge.verify([(beside.sources[0].text, claim) for beside, (_, claim) in zip(read, claims, strict=True)])
    found = []
    for beside, (_, claim), judgement in zip(read, claims, judged, strict=True):
        said = VerifierJudgement(judgement.label, judgement.support, judgement.span, judgement.passed_bar)
        checked = check_claim(claim, beside.sources[0], said, beside.turn, rules)
        found.append(_claim_as_dict(claim, checked, judgement))
    return found


def _claim_as_dict(claim: str, checked: CheckedClaim, judgement: Judgement) -> dict[str, Any]:
    objections = [found for found in checked.objections if found.guard not in NOT_SHOWN]
    evidence = tuple(word for sentence in sentences_in(checked.evidence, lexeme) for word in sentence.words)
    content = {word.stem for word in words_in(claim, lexeme) if word.is_content and not word.text[0].isdigit()}
    return {
        "verdict": checked.verdict,
        "span": checked.span,
        "support": checked.support,
        "label": judgement.label,
        "contradiction": judgement.contradiction,
        "objections": [(found.guard, found.reason, found.about) for found in objections],
        "shared": len(content & {word.stem for word in evidence}) / len(content) if content else 0.0,
        "has_numbers": bool(evidence_terms([evidence]).numbers),
    }
