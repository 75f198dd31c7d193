"""Stage 4 without a chat model: answer in the sources' own sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice
from uuid import UUID

from chat.domain.evidence import Evidence
from chat.domain.pool import Candidate
from chat.domain.quotation import QuotationRules, Quote, Sentence, choose_quotes


def synthesize(evidence: Evidence, rules: QuotationRules) -> tuple[Quote, ...]:
    """Return the quotes that answer, the most direct first.

    What was asked for by its address is quoted whole and leads; the rest follows as far as there is room.
    """
    asked = tuple(islice(_asked_for(evidence.candidates, evidence.sentences), rules.max_sentences))
    if evidence.is_only_addressed:
        return asked
    room = max(0, rules.max_sentences - sum(len(quote.sentences) for quote in asked))
    others = choose_quotes(evidence.sentences, replace(rules, max_sentences=room))
    return asked + tuple(quote for quote in others if not any(one.asked for one in quote.sentences))


def leaves_out(evidence: Evidence, quotes: Sequence[Quote]) -> bool:
    """Does more stand at the addresses that were asked for than the quotes show?"""
    addressed = {index for index, one in enumerate(evidence.candidates) if one.at_address}
    asked = sum(quote.sentences[0].asked for quote in quotes)
    every = sum(1 for _ in _asked_for(evidence.candidates, evidence.sentences))
    return every > asked or not addressed <= {one.passage for one in evidence.sentences}


def _asked_for(candidates: Sequence[Candidate], sentences: Sequence[Sentence]) -> Iterator[Quote]:
    """Yield each verse or paragraph that was asked for, in runs; what two chunks share of one is quoted once."""
    told: dict[tuple[UUID, str], list[str]] = {}
    numbered = enumerate(one for one in sentences if one.asked)
    for (index, address, _), run in groupby(numbered, key=_run):
        before = told.setdefault((candidates[index].passage.source_id, address), [])
        new = tuple(one for _, one in run if one.text not in before)
        before += [one.text for one in new]
        if new:
            yield Quote(index, new)


def _run(numbered: tuple[int, Sentence]) -> tuple[int, str, int]:
    """Return what neighbours in one paragraph of one passage have in common."""
    number, one = numbered
    return one.passage, one.paragraph, one.position - number
