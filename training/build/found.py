"""Questions with the clips that a search finds for them: the answer against the likest clips of the whole corpus.

The product shows one of some two dozen clips that its sentence vectors found in many passages. Rivals of one passage
(`clips`) are fewer and easier than those.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path

from training.build.clips import CLIP_WORDS, answer_clip, clip_around, holding_sentences
from training.build.mining import hard_negatives
from training.build.reading import squad2
from training.build.sources import encyclopedia_texts, lecture_texts
from training.build.written import written_questions
from training.rows import PassageRow, ReadingRow
from training.text import sentence_spans

SEARCHED = 40  # likest sentences per question
RIVALS = 5
NEAR_MISSES = 2
PASSED_OVER = 0.3  # share of the found clips left out, so that rivals are not only the very likest
OTHER_PASSAGES = 2500  # lecture paragraphs and encyclopedia passages that no question is about, as distractors
LEAST_WORDS = 5


_spans = cache(sentence_spans)  # a passage is found for many questions


@dataclass(frozen=True, slots=True)
class _Sentence:
    passage: str
    place: int
    spoken: bool  # its passage is of a lecture, where another passage may answer too


def found(data: Path, seed: int) -> Iterator[ReadingRow]:
    """The questions of SQuAD 2 and the written ones, with their answer's clip and the likest clips of all passages.

    A clip of another passage counts as without the answer where the question's passage is encyclopedic, since names and
    dates differ there; in lectures only where it is less like the question than the answer's own sentence, otherwise
    whether it answers is unknown and it only competes.
    """
    rng = random.Random(seed)
    rows = [row for row in (*written_questions(data, seed), *squad2(data, seed)) if row.passages]
    lectures = [entry.text for entry in lecture_texts(data) if entry.split != "test"]
    others = [*lectures, *(entry.text for entry in encyclopedia_texts(data))]
    asked = {row.passages[0].text for row in rows}
    distractors = rng.sample([text for text in others if text not in asked], OTHER_PASSAGES)
    spoken = set(lectures)
    pool = [
        _Sentence(text, place, text in spoken)
        for text in sorted({*asked, *distractors})
        for place, (start, end) in enumerate(_spans(text))
        if len(text[start:end].split()) >= LEAST_WORDS and not text[start:end].rstrip().endswith("?")
    ]
    near = hard_negatives([row.question for row in rows], [_text(entry) for entry in pool], depth=SEARCHED)
    for row, places in zip(rows, near, strict=True):
        yield from _found_row(row, [pool[place] for place in places], rng)


def _text(sentence: _Sentence) -> str:
    start, end = _spans(sentence.passage)[sentence.place]
    return sentence.passage[start:end]


def _found_row(row: ReadingRow, likest: Sequence[_Sentence], rng: random.Random) -> Iterator[ReadingRow]:
    own = row.passages[0]
    sentences = sentence_spans(own.text)
    holding = holding_sentences(own, sentences)
    if holding:
        rivals = list(islice(_rivals(own, holding, likest, rng), RIVALS))
        if rivals:
            yield ReadingRow("found", row.split, row.question, [answer_clip(own, sentences, holding, rng), *rivals])
    elif own.answerable is False:
        near = islice(_rivals(own, [], likest, rng), NEAR_MISSES)
        certain = [replace(rival, relevant=None) for rival in near if rival.answerable is False]
        if certain:
            yield ReadingRow("found", row.split, row.question, certain, "near miss")


def _rivals(
    own: PassageRow, holding: Sequence[int], likest: Sequence[_Sentence], rng: random.Random
) -> Iterator[PassageRow]:
    """Clips without the answer around the likest sentences, at most one of them from the answer's own passage."""
    taken: set[str] = set()
    passed = at_home = False  # whether the answer's own sentence, and a clip of its passage, came already
    for sentence in likest:
        home = sentence.passage == own.text
        if home and sentence.place in holding:
            passed = True
            continue
        clip = None if home and at_home else _clip_of(sentence, holding if home else (), rng)
        if clip is None or clip in taken or rng.random() < PASSED_OVER:
            continue
        taken.add(clip)
        at_home = at_home or home
        yield PassageRow(clip, False, False if home or passed or not sentence.spoken else None)


def _clip_of(sentence: _Sentence, holding: Sequence[int], rng: random.Random) -> str | None:
    """A clip around a sentence without those that hold the answer; None if it is too long."""
    sentences = _spans(sentence.passage)
    bounds = (0, len(sentences) - 1)
    if holding:
        bounds = (0, holding[0] - 1) if sentence.place < holding[0] else (holding[-1] + 1, len(sentences) - 1)
    start, end = clip_around(sentences, (sentence.place, sentence.place), rng, bounds)
    text = sentence.passage[start:end]
    return text if len(text.split()) <= CLIP_WORDS else None


BUILDERS = {"found": found}
