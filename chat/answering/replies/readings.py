"""What a vague question may mean, drawn from the corpus: each reading leads retrieval back to where it comes from."""

import re
from collections.abc import Iterator, Sequence

from chat.answering.domain.modes import LIMITS
from chat.answering.domain.query.readings import (
    ProposedReading,
    ReadingRules,
    as_written,
    people_called,
    propose_readings,
    questions_about,
    with_somebody,
)
from chat.answering.domain.query.reply import DirectReply
from chat.answering.domain.query.vagueness import Vagueness
from chat.answering.domain.question import Mode, Question
from chat.answering.domain.viewer import Viewer
from chat.answering.stages.plan import plan_question
from chat.answering.stages.retrieve import retrieve_candidates
from corpus.catalogue.addresses import shelf
from corpus.domain.addresses.address import address_key
from corpus.domain.passage import Passage
from corpus.domain.text.folding import fold
from corpus.models import EmbeddingSpace
from corpus.selectors import standing_at
from lectorium.threads import in_thread

RULES = ReadingRules()
VERSE = "verse"
_VERSE = re.compile(r"\bverse\s+(\d{1,3})\b", re.I)


async def readings_of(reply: DirectReply, question: Question, space: EmbeddingSpace | None) -> tuple[str, ...]:
    """Return up to `offered` questions that a vague one may mean, the likeliest first."""
    if numbered := _VERSE.search(question.text):
        return await in_thread(_verses_numbered, int(numbered[1]), question.viewer)
    near = await passages_for(reply.about or question.text, question.viewer, space)
    found: list[str] = []
    for reading in list(_proposed(reply, question.text, near))[: RULES.tried]:
        source, again = near[reading.passage], await passages_for(reading.question, question.viewer, space)
        of_kind = [
            passage for passage in again if source.kind != VERSE or passage.kind == VERSE
        ]  # a verse asked for leads
        if reading.question not in found and source in of_kind[: RULES.found_within]:
            found.append(reading.question)
        if len(found) == RULES.offered:
            break
    return tuple(found)


def names_a_verse(text: str) -> bool:
    """Does the text name a verse by its number alone ("What does verse 5 say?")?"""
    return bool(_VERSE.search(text))


async def passages_for(text: str, viewer: Viewer, space: EmbeddingSpace | None) -> Sequence[Passage]:
    """Return the passages nearest to a text, best first, without reading them."""
    if space is None:
        return ()
    plan = await in_thread(plan_question, Question(text, viewer, Mode.INSTANT, as_typed=True))
    pool = await retrieve_candidates(plan, viewer, LIMITS[Mode.INSTANT], space)
    return [candidate.passage for candidate in sorted(pool.candidates, key=lambda candidate: -candidate.fused)]


def _proposed(reply: DirectReply, text: str, near: Sequence[Passage]) -> Iterator[ProposedReading]:
    read = near[: RULES.passages]
    if reply.detail != Vagueness.TOPIC:
        for place, passage in enumerate(read):
            if reply.about:
                names = people_called(reply.about, passage.text)
                yield from (ProposedReading(asked, place) for asked in with_somebody(text, reply.about, names))
        if not reply.about:
            yield from propose_readings("", [passage.text for passage in read], RULES)
        return
    topic = as_written(reply.about, [passage.text for passage in read])
    holding = [place for place, passage in enumerate(read) if f" {fold(reply.about)} " in f" {fold(passage.text)} "]
    yield from propose_readings(topic, [passage.text for passage in read], RULES)
    places = {read[place].kind: place for place in reversed(holding)}
    for asked in questions_about(topic, places):
        yield ProposedReading(asked, places.get(VERSE, holding[0]) if VERSE in asked else holding[0])


def _verses_numbered(number: int, viewer: Viewer) -> tuple[str, ...]:
    """Return a question for each of the first verses in sight that have this number."""
    known = shelf(None if viewer.sees_all else viewer.collections)
    schemes = {scheme.label: scheme for scheme in known.book.schemes.values()}
    addresses = [
        schemes[label].address(*chapter, number)
        for label, chapters in known.chapters.items()
        for chapter, last in sorted(chapters.items())
        if chapter and number <= last and label in schemes
    ]
    keys = {address_key(address): address for address in addresses}
    standing = {key for _, held in standing_at(list(keys), viewer.scope, len(keys)) for key in held} if keys else set()
    found = [address for key, address in keys.items() if key in standing]
    return tuple(f"What does {address} say?" for address in found[: RULES.offered])
