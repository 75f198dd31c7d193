"""What folding, the glossary, leaving out near-duplicates and the context line gain: is the gold in the first ten?

    .venv/bin/python -m tests.benchmarks.context [--words]

writes docs/results/context.md. Needs LECTORIUM_DATA, no database. With --words nothing is embedded, and only what word
search alone finds is measured.
"""

import functools
import math
import os
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from uuid import UUID, uuid4

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

import django
import numpy as np
from django.conf import settings

django.setup()

import corpus.language
from audit.domain.metrics import Share
from chat.answering.domain.evidence.coverage import term_share
from chat.answering.domain.evidence.selection import DiscardRules
from chat.answering.domain.query import planning
from chat.answering.domain.question import HistoryMessage
from chat.answering.domain.thread.follow_up import read_follow_up
from chat.answering.stages.plan import keywords, topic_words
from corpus.catalogue.glossary import grouped, look_up
from corpus.domain.chunking import ChunkRules, chunk_transcript
from corpus.domain.context import ChunkSetting, context_line, leading_terms
from corpus.domain.embedded import text_to_embed
from corpus.domain.glossary import FIRST_ENTRIES
from corpus.domain.text.folding import fold, strip_diacritics
from corpus.domain.transcript import assemble
from corpus.importers.discovery import find_files, read
from corpus.indexing.duplicates import ComparedChunk, link_batch
from corpus.indexing.minhash import bands_of
from corpus.language import lexemes
from evaluation.golden import gold_sets, history_of
from evaluation.golden_run import QUESTION, TOP, read_rows
from evaluation.results import publish
from evaluation.retrieval.sets import SETS
from lectorium.providers.registry import embedder

LECTURES = ("lectures/vivekananda", "lectures/william_james")
RULES = DiscardRules()
IAST = {
    "Akasha": "Ākāśa", "Chhandogya": "Chāndogya", "Gita": "Gītā", "Krishna": "Kṛṣṇa", "Narada": "Nārada",
    "Patanjali": "Patañjali", "Pranayama": "Prāṇāyāma", "Prana": "Prāṇa", "Raja": "Rāja", "Sanatkumara": "Sanatkumāra",
    "Sankhyas": "Sāṅkhyas", "Shankaracharya": "Śaṅkarācārya", "Upanishad": "Upaniṣad", "Vivekananda": "Vivekānanda",
    "Yudhishthira": "Yudhiṣṭhira",
}  # fmt: skip
VAGUE = frozenset(lexemes(planning.VAGUE_WORDS))
NAMES = re.compile("|".join(rf"\b{name}\b" for name in IAST))


MEETING_QUESTIONS, SEED = 100, 1


@dataclass(frozen=True)
class ContextPiece:
    id: UUID
    lecture: str
    title: str
    text: str
    context: str
    addresses: frozenset[str]


class ContextQuestion(NamedTuple):
    """A question: as typed, as it stands by itself, and lists of addresses any one of which answers it whole."""

    typed: str
    alone: str
    golds: list[set[str]]


class Step(NamedTuple):
    """How passages and questions are matched: everything that a line of a table may change."""

    folding: Callable[[str], str]
    groups: dict = {}
    with_context: bool = False
    once: bool = False  # of near-duplicates only the one that serves


@dataclass(frozen=True)
class ContextSource:
    """A corpus and its questions; `folders` are what the importer reads."""

    title: str
    folders: tuple[Path, ...]
    asked: Callable[[frozenset[str]], Iterator[ContextQuestion]]


def plainly_folded(text):
    """Fold as before: case, diacritics and punctuation, nothing of scripts or spellings."""
    return " ".join("".join(c if c.isalnum() else " " for c in strip_diacritics(text.casefold())).split())


def pieces(folders, tokens_for_context):
    """Cut the lectures; where the context is to be embedded, chunks leave room for it."""
    with TemporaryDirectory() as workspace:
        files = [file for folder in folders for file in find_files(folder, Path(workspace))]
        for draft in (draft for file in files for draft in read(file)):
            transcript = assemble(draft.paragraphs)
            terms = leading_terms(placed.paragraph.text for placed in transcript.paragraphs)
            context = context_line(ChunkSetting(draft.title, terms=terms))
            room = len(embedder().token_spans(context)) + 1 if tokens_for_context else 0
            rules = ChunkRules(embedder().max_tokens - room)
            for span in chunk_transcript(transcript, embedder().token_spans, rules):
                held = transcript.paragraphs_within(span.start, span.end)
                addresses = frozenset(placed.paragraph.address for placed in held)
                text = transcript.text[span.start : span.end]
                yield ContextPiece(uuid4(), draft.key, draft.title, text, context, addresses)


def vectors(texts):
    return np.vstack([embedder().embed_passages(texts[at : at + 256]) for at in range(0, len(texts), 256)])


@functools.cache
def asked_vectors(wordings):
    return embedder().embed_questions(wordings)


def golden(known):
    """Yield the golden questions whose gold is among the known addresses."""
    for row in read_rows(settings.DATA_DIR / "golden" / "dev.jsonl", QUESTION):
        golds = [set(gold) for gold in gold_sets(row) if set(gold) <= known]
        if golds:
            thread = tuple(HistoryMessage(role, content) for role, content in history_of(row))
            words = lexemes(row["question"])
            alone = read_follow_up(row["question"], words, planning.own_words(words, VAGUE), thread).standalone
            yield ContextQuestion(row["question"], alone, golds)


def of_meetings(known):
    """Yield a sample of the questions about meetings; any turn of the marked spans answers."""
    rows = [question for question in SETS["qmsum"].questions(settings.DATA_DIR) if question.gold]
    for question in random.Random(SEED).sample(rows, min(MEETING_QUESTIONS, len(rows))):
        yield ContextQuestion(
            question.text, question.text, [{address} for gold in question.gold for address in gold & known]
        )


def questions(asked, groups, in_iast=False):
    """Yield the wordings, words, alternatives and gold of each question; in_iast: those with Sanskrit names, in it."""
    for typed, alone, golds in asked:
        respelled = NAMES.sub(lambda found: IAST[found.group()], alone)
        if in_iast and respelled == alone:
            continue
        said, typed = (respelled, respelled) if in_iast else (alone, typed)
        words, synonyms = topic_words(said), look_up(said, groups)
        wordings = tuple(
            text for text, _ in planning.wordings(said, "", typed, keywords(said, words), synonyms.wordings)
        )
        yield wordings, words, synonyms.alternatives, golds


def serving(cut):
    """Return the places of the passages that serve: every one that is not nearly the same as an earlier one."""
    words = [fold(piece.text) for piece in cut]
    compared = [
        ComparedChunk(piece.id, "lecture", "en", piece.id, "", False, text)
        for piece, text in zip(cut, words, strict=True)
    ]
    bands = {chunk.pk: bands_of(chunk.words) for chunk in compared}
    duplicates = {link.duplicate.pk for link in link_batch(compared, bands, defaultdict(set), {})}
    return frozenset(place for place, piece in enumerate(cut) if piece.id not in duplicates)


def found_in_ten(cut, embedded, asked, step, *, in_iast=False):
    """Return, for each question, whether its gold is among the ten closest; without vectors, by words alone."""
    corpus.language.fold = step.folding
    held = [set(lexemes(f"{p.title} {p.text} {p.context if step.with_context else ''}")) for p in cut]
    counts = Counter(word for words in held for word in words)
    served = serving(cut) if step.once else frozenset(range(len(cut)))

    def weight(word):
        return math.log(1 + (len(cut) - counts[word] + 0.5) / (counts[word] + 0.5))

    outcomes = []
    for wordings, words, alternatives, golds in questions(asked, step.groups, in_iast):
        closeness = np.array([term_share(words, stems, weight, alternatives) for stems in held])
        if embedded is not None:
            similarity = (embedded @ asked_vectors(wordings).T).max(axis=1)
            closeness = (1 - RULES.term_weight) * similarity + RULES.term_weight * closeness
        outcomes.append(_is_found(cut, closeness, golds, served))
    corpus.language.fold = fold
    return outcomes


def _is_found(cut, closeness, golds, served):
    kept, taken = [], Counter()
    for index in np.argsort(-closeness, kind="stable"):
        if index in served and taken[cut[index].lecture] < RULES.per_source:
            taken[cut[index].lecture] += 1
            kept.append(cut[index])
        if len(kept) == TOP:
            break
    addresses = frozenset().union(*(piece.addresses for piece in kept))
    return any(gold <= addresses for gold in golds)


def compared(before, after):
    """Say how many questions a step won and lost."""
    won, lost = (sum(a and not b for a, b in zip(*pair, strict=True)) for pair in ((after, before), (before, after)))
    return f"+{won} −{lost}"


def main():
    folders = tuple(settings.DATA_DIR / name for name in LECTURES)
    with TemporaryDirectory() as meetings:
        SETS["qmsum"].write(settings.DATA_DIR, Path(meetings))
        lines = [*HEAD, *tables(ContextSource("`golden/dev.jsonl` over the lectures", folders, golden), in_iast=True)]
        lines += tables(ContextSource("QMSum's validation meetings", (Path(meetings),), of_meetings))
    if "--words" in sys.argv:
        lines += ["", WORDS_ONLY]
    print(publish("context", lines))


def tables(source, in_iast=False):
    """Yield the tables of a corpus: by words alone, and by meaning and words."""
    groups = grouped((term, *synonyms) for term, synonyms in FIRST_ENTRIES.items())
    bare = list(pieces(source.folders, False))
    asked = list(source.asked(frozenset().union(*(piece.addresses for piece in bare))))
    yield from ("", f"### {source.title}", "", f"{len(asked)} questions.")
    plain = {"case and diacritics folded": Step(plainly_folded), "and one spelling of Sanskrit words": Step(fold)}
    steps = plain | {
        "and the glossary": Step(fold, groups),
        "and of near-duplicates only one": Step(fold, groups, once=True),
        "and the context among the words": Step(fold, groups, with_context=True, once=True),
    }
    yield from table("words alone", bare, None, asked, steps)
    if in_iast:
        yield from table("words alone, only questions with Sanskrit names, in IAST", bare, None, asked, plain, in_iast)
    if "--words" in sys.argv:
        return
    yield from table("meaning and words", bare, vectors([piece.text for piece in bare]), asked, steps)
    roomy = list(pieces(source.folders, True))
    situated = vectors([text_to_embed(piece.text, piece.context) for piece in roomy])
    steps = {
        "and not among the words": Step(fold, groups, once=True),
        "and among the words": Step(fold, groups, with_context=True, once=True),
    }
    yield from table("meaning and words, the context embedded", roomy, situated, asked, steps)


def table(name, cut, embedded, asked, steps, in_iast=False):
    """Yield the rows of a table: how each step fares, and what it won and lost against the one before."""
    yield from ("", f"| by {name} ({len(cut):,} passages) | found in 10 | won and lost |", "|---|---|---|")
    before = None
    for step, how in steps.items():
        found = found_in_ten(cut, embedded, asked, how, in_iast=in_iast)
        yield f"| {step} | {Share.of(found)} | {compared(before, found) if before else '–'} |"
        before = found


HEAD = (
    "## Folding, glossary, near-duplicates and context",
    "",
    "Is the gold within the ten closest of all passages, at most six of one lecture, closeness as retrieval weighs it "
    "(without its pool)? Asked: the questions of `golden/dev.jsonl` whose gold lies in the lectures, over those alone; "
    f"and {MEETING_QUESTIONS} questions about QMSum's validation meetings, drawn by seed {SEED}, over their "
    "transcripts, where any turn of the marked spans is gold. Shares with 95 % Wilson intervals. Read by: "
    "`python -m tests.benchmarks.context`.",
)
WORDS_ONLY = "What embedding the context gains was not measured in this run (`--words`); it is searched as words only."

if __name__ == "__main__":
    main()
