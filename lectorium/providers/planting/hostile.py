"""A chat model that lies: fluent drafts from its notes, in which known falsehoods stand among true lines.

Ships with the product for the escape test (`manage.py evaluate escape`) and for trials, as `hostile:SEED`. The same
seed and notes give the same draft. `written` labels each line.
"""

import random
import re
from collections.abc import AsyncGenerator, Collection, Iterator, Mapping, Sequence

from lectorium.providers.protocols import ChatMessage, Piece, Schema

from . import KINDS, RULES, DraftLine, LieMaterial, Note
from .lines import TrueSentence, key_of, line_of, lower_first, merged, truths
from .rewording import reworded

_NOTE = re.compile(r"^\[\^(\d{1,3})\]\n((?:\|.*\n?)+)", re.M)
_BAR = re.compile(r"^\|[ ]?", re.M)
ATTEMPTS = 12
PARAGRAPH = 4  # lines
OFTEN = 0.75  # probability that a lie uses the notes in focus
REWORDED = 0.5  # probability that a lie uses a paraphrase, if there is one
MERGED = 0.6  # probability that two mergeable sentences are merged
REPHRASED = 0.5  # probability that the additional true line is reworded by rule, if possible
LONGEST_MERGED = 22  # words of a sentence that can be merged


class HostileChat:
    """Writes `planted` falsehoods per draft, of the first kinds that apply, among true lines.

    paraphrases: hand-written paraphrases by planting.lines.key_of(the note's text). strangers: sentences of documents
    outside the notes. focus: preferred notes, all if empty. told: keys of lines used in other drafts, which are not
    repeated; extended with the lines written.
    """

    def __init__(
        self,
        seed: int = 0,
        *,
        kinds: Sequence[str] = (),
        planted: int = 4,
        paraphrases: Mapping[str, Sequence[str]] | None = None,
        strangers: Sequence[str] = (),
        focus: Collection[int] = (),
        told: set[str] | None = None,
    ) -> None:
        self.name = f"hostile:{seed}"
        self.written: tuple[DraftLine, ...] = ()
        self._seed, self._kinds, self._planted = seed, kinds, planted
        self._paraphrases, self._strangers = paraphrases or {}, strangers
        self._focus, self._told = focus, told
        self._prepared: tuple[DraftLine, ...] | None = None

    def prepare(self, notes: Sequence[Note]) -> tuple[DraftLine, ...]:
        """The lines of a draft from these notes; the next stream writes them, whatever its prompt."""
        self._prepared = self._lines(notes)
        return self._prepared

    async def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        temperature: float,
        schema: Schema | None = None,
        tool: str | None = None,
    ) -> AsyncGenerator[Piece, None]:
        asked = "\n\n".join(message.text for message in messages)
        prepared, self._prepared = self._prepared, None
        self.written = self._lines(notes_in(asked)) if prepared is None else prepared
        text = _paragraphs(self.written) or "There is nothing to write from."
        words = [word for word in text.replace("\n", "\n\0").replace(" ", " \0").split("\0") if word]
        for piece in pieces_of(words, asked, max_tokens):
            yield piece

    def _lines(self, notes: Sequence[Note]) -> tuple[DraftLine, ...]:
        chance = random.Random(f"{self._seed}\n" + "\n".join(note.text for note in notes))
        told = set() if self._told is None else self._told
        truth = truths(notes, self._paraphrases)
        near = [sentence for sentence in truth if not self._focus or sentence.alias in self._focus] or truth
        lines = _true_lines(near, told, chance)
        material = LieMaterial(notes, self._strangers, chance)
        kinds = self._kinds or chance.sample(KINDS, len(KINDS))
        planted = 0
        for kind in kinds:
            if planted == self._planted or not truth:
                break
            if line := _lie(kind, near, truth, material, told):
                lines.append(line)
                planted += 1
        chance.shuffle(lines)
        return tuple(lines)


def notes_in(asked: str) -> tuple[Note, ...]:
    """The notes of a filled prompt: a label on its own line, then lines that begin with a bar."""
    return tuple(Note(int(alias), _BAR.sub("", text).strip()) for alias, text in _NOTE.findall(asked))


def pieces_of(words: Sequence[str], asked: str, max_tokens: int) -> Iterator[Piece]:
    """A reply as a model streams it: at most so many words, then the counts; a word counts as a token."""
    yield from map(Piece, words[:max_tokens])
    yield Piece(tokens_in=len(asked.split()), tokens_out=len(words), truncated=len(words) > max_tokens)


def _true_lines(near: Sequence[TrueSentence], told: set[str], chance: random.Random) -> list[DraftLine]:
    """Every unused paraphrase, and one more true line: verbatim, reworded or merged."""
    lines = [line for sentence in near if sentence.origin == "paraphrase" and (line := _new(line_of(sentence), told))]
    verbatim = [sentence for sentence in near if sentence.origin == "verbatim"]
    others = [
        TrueSentence(said, sentence.alias, "reworded") for sentence in verbatim if (said := reworded(sentence.text))
    ]
    if others and chance.random() < REPHRASED and (line := _new(line_of(chance.choice(others)), told)):
        return [*lines, line]
    short = [sentence for sentence in verbatim if len(sentence.text.split()) <= LONGEST_MERGED]
    for _ in range(ATTEMPTS if verbatim else 0):
        line = line_of(chance.choice(verbatim))
        if len(short) > 1 and chance.random() < MERGED:
            first, second = chance.sample(short, 2)
            line = merged(first, second) if lower_first(second.text) != second.text else line
        if _new(line, told):
            return [*lines, line]
    return lines


def _lie(
    kind: str, near: Sequence[TrueSentence], truth: Sequence[TrueSentence], material: LieMaterial, told: set[str]
) -> DraftLine | None:
    chance = material.chance
    for _ in range(ATTEMPTS):
        pool = near if chance.random() < OFTEN else truth
        reworded = [sentence for sentence in pool if sentence.origin == "paraphrase"]
        pool = reworded if reworded and chance.random() < REWORDED else pool
        line = RULES[kind](chance.choice(pool), material)
        if line and _new(line, told):
            return line
    return None


def _new(line: DraftLine, told: set[str]) -> DraftLine | None:
    key = f"{line.kind}:{key_of(line.text)}"
    if key in told:
        return None
    told.add(key)
    return line


def _paragraphs(lines: Sequence[DraftLine]) -> str:
    groups = [lines[start : start + PARAGRAPH] for start in range(0, len(lines), PARAGRAPH)]
    return "\n\n".join(" ".join(line.written for line in group) for group in groups)
