"""Which stretches of the evidence answer a question where no chat model writes, and in what order they are shown.

A clip is one contiguous run of sentences of one passage. The sentence that answers is its lead. Around the lead a clip
grows until a reader can start at its beginning and stop at its end. Source of the rules: shared/design/answers.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chat.answering.domain.evidence.neighbours import announces, goes_on, leans_on_neighbour, takes_back
from corpus.domain.passage import Span
from corpus.domain.text.sentences import is_question

ALONE = 0.5  # of its own similarity, what a sentence without neighbours, such as a verse, has beside it


@dataclass(frozen=True, slots=True)
class QuotationRules:
    """How leads are ranked and how far clips grow. Sizes in words. Evidence: docs/thresholds.md.

    min_words: shortest lead. lead_words, more_words, closest_words, story_words: up to which the first clip, each
    further one, a closest passage and a long story grow towards their closer neighbour. max_words: no clip is longer,
    but a story may be twice as long. within: further clips score at most this much less than the first. judged: clips
    that the big reader judges; score_weight: of a lead's score beside its relevance, bare_verse: what a verse nobody
    asked for loses, near_best: like `within`. said_together, rare: so many words of the question, each in at most this
    share of the chunks, come before a passage with none of them. closest_clips: most shown as closest. beside_weight:
    of the best neighbour's similarity in its score; passage_weight: of its passage's. definition_bonus, type_bonus: if
    it defines, or fits.
    """

    max_clips: int = 3
    min_words: int = 5
    lead_words: int = 45
    more_words: int = 25
    closest_words: int = 75
    story_words: int = 150
    max_words: int = 120
    within: float = 0.25
    judged: int = 16
    score_weight: float = 8.0
    bare_verse: float = 4.0
    near_best: float = 3.0
    said_together: int = 2
    rare: float = 0.05
    closest_clips: int = 4
    beside_weight: float = 0.3
    passage_weight: float = 0.2
    definition_bonus: float = 0.3
    type_bonus: float = 0.03


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """A sentence of the evidence: its passage (index in evidence order), its span there, and what speaks for it.

    similarity: cosine with the question. passage_share: its passage's rerank score, 0..1. defines: it says what, or
    who, is asked about. asked: it stands at an address that the question names. answers: the answerability of its
    passage, 0..1, where it holds the words that the reader takes for the answer; else 0. fits: it holds the kind of
    thing the question asks for.
    """

    passage: int
    position: int
    span: Span
    text: str
    similarity: float
    passage_share: float = 0.0
    paragraph: str = ""
    defines: bool = False
    asked: bool = False
    answers: float = 0.0
    fits: bool = False


@dataclass(frozen=True, slots=True)
class Quote:
    """A clip, or a part of one: neighbouring sentences of one passage, quoted under one citation.

    lead: index of the sentence that answers; None where it stands in another quote of the same clip. continues: the
    quote belongs to the clip of the quote before it, as where a clip runs over two chunks.
    """

    passage: int
    sentences: tuple[EvidenceSentence, ...]
    lead: int | None = 0
    continues: bool = False

    @property
    def span(self) -> Span:
        return self.sentences[0].span[0], self.sentences[-1].span[1]

    @property
    def words(self) -> int:
        return sum(map(_words, self.sentences))

    @property
    def answering(self) -> EvidenceSentence:
        """The lead, or the first sentence where the lead stands in another quote of the clip."""
        return self.sentences[self.lead or 0]


def directness(sentence: EvidenceSentence, rules: QuotationRules) -> float:
    """Return how likely a sentence is to answer by itself, without its neighbours; higher is better."""
    return (
        sentence.similarity
        + rules.passage_weight * sentence.passage_share
        + rules.definition_bonus * sentence.defines
        + rules.type_bonus * sentence.fits
    )


class Clips:
    """Builds clips from the evidence's sentences."""

    def __init__(self, sentences: Sequence[EvidenceSentence], rules: QuotationRules) -> None:
        self._at = {(sentence.passage, sentence.position): sentence for sentence in sentences}
        self._rules = rules

    def score(self, sentence: EvidenceSentence) -> float:
        """Return how likely the sentence is to answer, by itself and by what stands beside it; higher is better.

        A question beside it counts for nothing: whoever plants the reader's question in a text gains nothing by it.
        """
        places = ((sentence.passage, sentence.position + step) for step in (-1, 1))
        neighbours = [self._at[place] for place in places if place in self._at]
        said = [other.similarity for other in neighbours if not is_question(other.text)]
        beside = max(said, default=ALONE * sentence.similarity)
        return directness(sentence, self._rules) + self._rules.beside_weight * beside

    def ranked(self) -> list[EvidenceSentence]:
        """Return the sentences long enough to lead a clip, the likeliest first."""
        able = (sentence for sentence in self._at.values() if _words(sentence) >= self._rules.min_words)
        return sorted(able, key=lambda sentence: (-self.score(sentence), sentence.passage, sentence.position))

    def around(self, lead: EvidenceSentence, wanted: int) -> Quote:
        """Return the clip of a lead: what it cannot be read without, then its closer neighbours up to `wanted` words.

        A sentence that the next takes back is never the last. Empty where what takes it back does not fit.
        """
        first = last = lead.position
        size = _words(lead)
        while True:
            after, before = self._get(lead, last + 1), self._get(lead, first - 1)
            after_fits = after is not None and size + _words(after) <= self._rules.max_words
            before_fits = before is not None and size + _words(before) <= self._rules.max_words
            ending, opening = self._at[lead.passage, last], self._at[lead.passage, first]
            if after and takes_back(after.text):
                if not after_fits:
                    return Quote(lead.passage, ())
                step = 1
            elif after and after_fits and _continues(ending, after, size < 2 * wanted):
                step = 1
            elif before and before_fits and leans_on_neighbour(opening.text):
                step = -1
            elif size >= wanted:
                break
            else:
                step = self._closer(after if after_fits else None, before if before_fits else None)
            if not step:
                break
            taken = after if step > 0 else before
            size += _words(taken) if taken else 0
            first, last = (first, last + 1) if step > 0 else (first - 1, last)
        while last > lead.position and is_question(self._at[lead.passage, last].text):
            last -= 1  # its reply did not fit
        run = tuple(self._at[lead.passage, position] for position in range(first, last + 1))
        return Quote(lead.passage, run, lead.position - first)

    def _closer(self, after: EvidenceSentence | None, before: EvidenceSentence | None) -> int:
        """Return 1 or -1 for the neighbour that is closer to the question, the later one on a tie; 0 for none."""
        if after and before:
            return 1 if after.similarity >= before.similarity else -1
        return 1 if after else -1 if before else 0

    def _get(self, near: EvidenceSentence, position: int) -> EvidenceSentence | None:
        other = self._at.get((near.passage, position))
        return other if other and other.paragraph == near.paragraph else None  # a clip stays in its paragraph


def likeliest_lead(sentences: Sequence[EvidenceSentence], rules: QuotationRules) -> EvidenceSentence | None:
    """The sentence that most likely answers, None where there is none long enough."""
    return next(iter(_answering(Clips(sentences, rules).ranked())), None)


def choose_quotes(sentences: Sequence[EvidenceSentence], rules: QuotationRules) -> tuple[Quote, ...]:
    """Return the clips of an answer, the one that answers best first; empty where no sentence can lead one."""
    clips = Clips(sentences, rules)
    chosen: list[Quote] = []
    best: float | None = None
    for lead in _answering(clips.ranked()):
        if len(chosen) == rules.max_clips or (best is not None and clips.score(lead) < best - rules.within):
            break
        if any(_repeats(lead, quote) for quote in chosen):
            continue
        clip = clips.around(lead, rules.more_words if chosen else rules.lead_words)
        if clip.sentences and not any(overlap(clip, quote) for quote in chosen):
            chosen.append(clip)
            best = clips.score(lead) if best is None else best
    return tuple(chosen)


def rivals(sentences: Sequence[EvidenceSentence], rules: QuotationRules) -> tuple[Quote, ...]:
    """Return the clips that a reader judges: more than are shown, and all of the first one's size."""
    wider = replace(rules, max_clips=rules.judged, more_words=rules.lead_words, within=float("inf"))
    return choose_quotes(sentences, wider)


def closest_quote(sentences: Sequence[EvidenceSentence], rules: QuotationRules) -> Quote | None:
    """Return the one clip that is closest to the question, None where no sentence can lead one."""
    clips = Clips(sentences, rules)
    found = (clips.around(lead, rules.closest_words) for lead in _answering(clips.ranked()))
    return next((clip for clip in found if clip.sentences), None)


def nearest_sentences(sentences: Sequence[EvidenceSentence], rules: QuotationRules, *, limit: int = 3) -> list[str]:
    """Return the texts of the likeliest sentences, at most `limit`, whatever passage they stand in."""
    clips = Clips(sentences, rules)
    return [sentence.text for sentence in sorted(_answering(sentences), key=clips.score, reverse=True)[:limit]]


def _answering(sentences: Sequence[EvidenceSentence]) -> Sequence[EvidenceSentence]:
    """Return the sentences without the questions, which answer nothing; where all ask, as they are."""
    return [sentence for sentence in sentences if not is_question(sentence.text)] or sentences


def _continues(ending: EvidenceSentence, after: EvidenceSentence, short: bool) -> bool:
    """Does `after` complete the point of `ending`? `short`: the clip may still take what merely goes on."""
    return announces(ending.text) or (short and goes_on(after.text))


def _repeats(sentence: EvidenceSentence, quote: Quote) -> bool:
    """Is the sentence shown already, perhaps from an overlapping passage?"""
    return any(other.text == sentence.text for other in quote.sentences)


def overlap(clip: Quote, other: Quote) -> bool:
    """Whether two clips share a sentence; passages of one lecture overlap."""
    return not {sentence.text for sentence in clip.sentences}.isdisjoint(sentence.text for sentence in other.sentences)


def _words(sentence: EvidenceSentence) -> int:
    return len(sentence.text.split())
