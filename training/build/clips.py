"""Questions with clips: a few sentences with the answer, and other clips of the same passage without it.

The product reads clips with the question to choose which to show (`judge_clips`), so the reader also trains on clips.
On a CPU, two or three clips cost as much as one passage.
"""

import random
import re
from collections.abc import Iterator
from pathlib import Path

from training.build.reading import squad2
from training.build.written import written_questions
from training.rows import PassageRow, ReadingRow
from training.text import sentence_spans

LONGEST = 4  # sentences of a clip
RIVALS = 3  # other clips of the same passage
CLIP_WORDS = 120

_WORD = re.compile(r"\w{4,}")


def clips(data: Path, seed: int) -> Iterator[ReadingRow]:
    """The questions of SQuAD 2 and the written ones, with clips of their passages instead of passages."""
    rng = random.Random(seed)
    for row in (*written_questions(data, seed), *squad2(data, seed)):
        yield from clip_rows(row, rng)


def clip_rows(row: ReadingRow, rng: random.Random) -> Iterator[ReadingRow]:
    """The row with clips of its first passage; nothing if that passage has only one sentence."""
    own = row.passages[0]
    sentences = sentence_spans(own.text)
    if len(sentences) < 2:
        return
    if not own.answerable:
        place = _most_shared(row.question, [own.text[start:end] for start, end in sentences])
        start, end = clip_around(sentences, (place, place), rng)
        near = PassageRow(own.text[start:end], None, False)
        yield ReadingRow("clips", row.split, row.question, [near], "near miss")
        return
    holding = holding_sentences(own, sentences)
    if not holding:
        return
    answer = answer_clip(own, sentences, holding, rng)
    others = [place for place in range(len(sentences)) if place not in holding]
    rivals = []
    for place in rng.sample(others, min(RIVALS, len(others))):
        bounds = (0, holding[0] - 1) if place < holding[0] else (holding[-1] + 1, len(sentences) - 1)
        start, end = clip_around(sentences, (place, place), rng, bounds)
        rivals.append(PassageRow(own.text[start:end], False, False))
    yield ReadingRow("clips", row.split, row.question, [answer, *rivals])


def holding_sentences(own: PassageRow, sentences: list[tuple[int, int]]) -> list[int]:
    """The places of the sentences that the passage's answer lies in."""
    first, last = own.answer_span or (0, 0)
    return [place for place, (start, end) in enumerate(sentences) if start < last and first < end]


def answer_clip(
    own: PassageRow, sentences: list[tuple[int, int]], holding: list[int], rng: random.Random
) -> PassageRow:
    """A clip with the passage's answer, which is marked in it: its sentences alone if more make it too long."""
    start, end = clip_around(sentences, (holding[0], holding[-1]), rng)
    if len(own.text[start:end].split()) > CLIP_WORDS:
        start, end = sentences[holding[0]][0], sentences[holding[-1]][1]
    first, last = own.answer_span or (start, end)
    return PassageRow(own.text[start:end], True, True, (max(0, first - start), min(end, last) - start))


def clip_around(
    sentences: list[tuple[int, int]],
    holding: tuple[int, int],
    rng: random.Random,
    bounds: tuple[int, int] | None = None,
) -> tuple[int, int]:
    """The character span of up to LONGEST sentences around `holding`, within the bounds."""
    first, last = holding
    lowest, highest = bounds or (0, len(sentences) - 1)
    size = max(last - first + 1, rng.randint(1, LONGEST))
    while last - first + 1 < size and (first > lowest or last < highest):
        if last < highest and (first == lowest or rng.random() < 0.5):
            last += 1
        else:
            first -= 1
    return sentences[first][0], sentences[last][1]


def _most_shared(question: str, sentences: list[str]) -> int:
    """The place of the sentence that shares most long words with the question: the hardest negative."""
    asked = set(_WORD.findall(question.lower()))
    return max(range(len(sentences)), key=lambda place: len(asked & set(_WORD.findall(sentences[place].lower()))))


BUILDERS = {"clips": clips}
