"""A story that is told whole: the paragraph it stands in, and the neighbours that belong to it.

Source: shared/design/answers.md (a story may take neighbouring paragraphs, at most about 250 words).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from uuid import UUID

from chat.answering.domain.evidence.neighbours import leans_on_neighbour
from chat.answering.domain.evidence.quotation import Clips, EvidenceSentence, QuotationRules, Quote

SourceOf = Callable[[EvidenceSentence], tuple[UUID, int]]
Paragraph = list[EvidenceSentence]

_NAME = r"[A-ZĀĪŪṚŚṢ][\wāīūṛṅñṭḍṇśṣ]+"
_NAMED = re.compile(rf"(?<=[\w,] ){_NAME}")  # the first word of a sentence may be no name
_INTRODUCED = re.compile(rf"\b(?:named|called|name (?:is|was))\s+(?:(?:Mister|Mr|Mrs|Miss|Dr)\.?\s+)?({_NAME})")


def whole_story(
    lead: EvidenceSentence, sentences: Sequence[EvidenceSentence], rules: QuotationRules, source_of: SourceOf
) -> tuple[Quote, ...]:
    """The quotes of the story that `lead` belongs to, as one clip: its paragraph, with what leads to it and follows.

    A talk may come back to somebody's story; it is told where that person is introduced. The paragraph before is taken
    where the story begins with a word that points back, the one after where it names somebody of the story.
    source_of: the source of a sentence, and its passage's place there.
    """
    paragraphs = _Paragraphs(sentences, source_of)
    lead = _where_introduced(paragraphs.of(lead), sentences) or lead
    story, room = paragraphs.of(lead), 2 * rules.max_words
    if _words(story) > room:
        part = Clips(sentences, replace(rules, max_words=room)).around(lead, rules.story_words)
        return (part,) if part.sentences else ()  # what takes the lead back did not fit
    before = paragraphs.beside(story[0], -1) if leans_on_neighbour(story[0].text) else []
    if before and _words(before + story) <= room:
        story = before + story
    after = paragraphs.beside(story[-1], 1)
    if after and _words(story + after) <= room and _says_any(_names(story), after):
        story = story + after
    return tuple(_quotes(story, lead))


class _Paragraphs:
    """The paragraphs of the evidence, each put together from the passages that hold a part of it."""

    def __init__(self, sentences: Sequence[EvidenceSentence], source_of: SourceOf) -> None:
        self._source_of = source_of
        self._at = {(sentence.passage, sentence.position): sentence for sentence in sentences}
        self._held: dict[tuple[UUID, str], Paragraph] = {}
        for sentence in sorted(sentences, key=lambda sentence: (source_of(sentence)[1], sentence.position)):
            self._held.setdefault(self._key(sentence), []).append(sentence)

    def of(self, sentence: EvidenceSentence) -> Paragraph:
        """The paragraph of a sentence. What two passages share of it is taken from the earlier one."""
        first = {held.text: held for held in reversed(self._held[self._key(sentence)])}
        return [held for held in self._held[self._key(sentence)] if first[held.text] is held]

    def beside(self, edge: EvidenceSentence, step: int) -> Paragraph:
        """The paragraph before (-1) or after (1) the one that `edge` begins or ends; empty where it was not found."""
        copies = (held for held in self._held[self._key(edge)] if held.text == edge.text)
        beside = (self._at.get((copy.passage, copy.position + step)) for copy in copies)
        other = next((found for found in beside if found and found.paragraph != edge.paragraph), None)
        return self.of(other) if other else []

    def _key(self, sentence: EvidenceSentence) -> tuple[UUID, str]:
        return self._source_of(sentence)[0], sentence.paragraph


def _quotes(story: Paragraph, lead: EvidenceSentence) -> list[Quote]:
    """Quotes of one clip: a run of neighbours in one passage each."""
    runs = [
        tuple(sentence for _, sentence in run)
        for _, run in groupby(enumerate(story), key=lambda pair: (pair[1].passage, pair[1].position - pair[0]))
    ]
    return [
        Quote(run[0].passage, run, next((at for at, said in enumerate(run) if said.text == lead.text), None), place > 0)
        for place, run in enumerate(runs)
    ]


def _where_introduced(paragraph: Paragraph, sentences: Sequence[EvidenceSentence]) -> EvidenceSentence | None:
    """The sentence that introduces somebody whom the paragraph only mentions; None where there is none."""
    if any(_INTRODUCED.search(sentence.text) for sentence in paragraph):
        return None
    named = _names(paragraph)
    return next((said for said in sentences if not named.isdisjoint(_INTRODUCED.findall(said.text))), None)


def _names(paragraph: Paragraph) -> set[str]:
    return {name for sentence in paragraph for name in _NAMED.findall(sentence.text)}


def _says_any(names: set[str], paragraph: Paragraph) -> bool:
    return any(not names.isdisjoint(re.findall(_NAME, sentence.text)) for sentence in paragraph)


def _words(paragraph: Paragraph) -> int:
    return sum(len(sentence.text.split()) for sentence in paragraph)
