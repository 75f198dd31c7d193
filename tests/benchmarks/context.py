"""What folding, the glossary and the context line gain: golden questions whose gold is among the first ten passages.

    .venv/bin/python -m tests.benchmarks.context [--words]

writes docs/results/context.md. Needs LECTORIUM_DATA, no database. With --words nothing is embedded, and only what word
search alone finds is measured.
"""

import functools
import math
import os
import re
import sys
from collections import Counter
from dataclasses import dataclass

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

import django
import numpy as np
from django.conf import settings

django.setup()

import corpus.language
from audit.domain.metrics import Share
from audit.evaluation import QUESTION, TOP, read_rows
from audit.golden import gold_sets, history_of
from audit.results import publish
from chat.domain import planning
from chat.domain.coverage import term_share
from chat.domain.question import Message
from chat.domain.selection import DiscardRules
from chat.stages.plan import topic_words
from corpus.domain.chunking import ChunkRules, chunk_transcript
from corpus.domain.context import Setting, context_line, embedded_text, leading_terms
from corpus.domain.folding import fold, strip_diacritics
from corpus.domain.glossary import FIRST_ENTRIES
from corpus.domain.transcript import assemble
from corpus.glossary import grouped, look_up
from corpus.importers.discovery import find_files, read_lectures
from corpus.language import lexemes
from lectorium.providers.registry import embedder

LECTURES = ("lectures/vivekananda", "lectures/william_james")
RULES = DiscardRules()
IAST = {
    "Akasha": "Ākāśa", "Chhandogya": "Chāndogya", "Gita": "Gītā", "Krishna": "Kṛṣṇa", "Narada": "Nārada",
    "Patanjali": "Patañjali", "Pranayama": "Prāṇāyāma", "Prana": "Prāṇa", "Raja": "Rāja", "Sanatkumara": "Sanatkumāra",
    "Sankhyas": "Sāṅkhyas", "Shankaracharya": "Śaṅkarācārya", "Upanishad": "Upaniṣad", "Vivekananda": "Vivekānanda",
    "Yudhishthira": "Yudhiṣṭhira",
}  # fmt: skip
NAMES = re.compile("|".join(rf"\b{name}\b" for name in IAST))


@dataclass(frozen=True)
class Piece:
    lecture: str
    title: str
    text: str
    context: str
    addresses: frozenset[str]


def plainly_folded(text):
    """Fold as before: case, diacritics and punctuation, nothing of scripts or spellings."""
    return " ".join("".join(c if c.isalnum() else " " for c in strip_diacritics(text.casefold())).split())


def pieces(tokens_for_context):
    """Cut the lectures; where the context is to be embedded, chunks leave room for it."""
    for folder in LECTURES:
        for found in find_files(settings.DATA_DIR / folder):
            for draft in read_lectures(found):
                transcript = assemble(draft.paragraphs)
                terms = leading_terms(placed.paragraph.text for placed in transcript.paragraphs)
                context = context_line(Setting(draft.title, terms=terms))
                room = len(embedder().token_spans(context)) + 1 if tokens_for_context else 0
                rules = ChunkRules(embedder().max_tokens - room)
                for span in chunk_transcript(transcript, embedder().token_spans, rules):
                    held = transcript.paragraphs_within(span.start, span.end)
                    addresses = frozenset(placed.paragraph.address for placed in held)
                    text = transcript.text[span.start : span.end]
                    yield Piece(draft.key, draft.title, text, context, addresses)


def vectors(texts):
    return np.vstack([embedder().embed_passages(texts[at : at + 256]) for at in range(0, len(texts), 256)])


@functools.cache
def asked_vectors(wordings):
    return embedder().embed_questions(wordings)


def questions(groups, known, in_iast=False):
    """Yield the wordings, words, alternatives and gold of each question whose gold is among the known addresses.

    in_iast: only those with Sanskrit names, and these in IAST.
    """
    for row in read_rows(settings.DATA_DIR / "golden" / "dev.jsonl", QUESTION):
        golds = [set(gold) for gold in gold_sets(row) if set(gold) <= known]
        if not golds:
            continue
        thread = tuple(Message(role, content) for role, content in history_of(row))
        asked = planning.standalone_question(row["question"], lexemes(row["question"]), thread)
        respelled = NAMES.sub(lambda found: IAST[found.group()], asked)
        if in_iast and respelled == asked:
            continue
        asked = respelled if in_iast else asked
        words, synonyms = topic_words(asked), look_up(asked, groups)
        typed = asked if in_iast else row["question"]
        wordings = tuple(text for text, _ in planning.wordings(asked, typed, words, synonyms.wordings))
        yield wordings, words, synonyms.alternatives, golds


def found_in_ten(cut, embedded, *, folding, groups, with_context, in_iast=False):
    """Return, for each question, whether its gold is among the ten closest; without vectors, by words alone."""
    corpus.language.fold = folding
    held = [set(lexemes(f"{p.title} {p.text} {p.context if with_context else ''}")) for p in cut]
    counts = Counter(word for words in held for word in words)
    known = frozenset().union(*(piece.addresses for piece in cut))

    def weight(word):
        return math.log(1 + (len(cut) - counts[word] + 0.5) / (counts[word] + 0.5))

    outcomes = []
    for wordings, words, alternatives, golds in questions(groups, known, in_iast):
        closeness = np.array([term_share(words, one, weight, alternatives) for one in held])
        if embedded is not None:
            similarity = (embedded @ asked_vectors(wordings).T).max(axis=1)
            closeness = (1 - RULES.term_weight) * similarity + RULES.term_weight * closeness
        outcomes.append(_is_found(cut, closeness, golds))
    corpus.language.fold = fold
    return outcomes


def _is_found(cut, closeness, golds):
    kept, taken = [], Counter()
    for index in np.argsort(-closeness, kind="stable"):
        if taken[cut[index].lecture] < RULES.per_source:
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
    glossary = grouped((term, *synonyms) for term, synonyms in FIRST_ENTRIES.items())
    bare = list(pieces(False))
    lines = [*HEAD, *table("words alone", bare, None, {
        "case and diacritics folded": (plainly_folded, {}, False),
        "and one spelling of Sanskrit words": (fold, {}, False),
        "and the glossary": (fold, glossary, False),
        "and the context among the words": (fold, glossary, True),
    })]  # fmt: skip
    lines += table("words alone, only questions with Sanskrit names, in IAST", bare, None, {
        "case and diacritics folded": (plainly_folded, {}, False),
        "and one spelling of Sanskrit words": (fold, {}, False),
    }, in_iast=True)  # fmt: skip
    if "--words" in sys.argv:
        lines += ["", WORDS_ONLY]
    else:
        plain = vectors([piece.text for piece in bare])
        lines += table("meaning and words", bare, plain, {
            "case and diacritics folded": (plainly_folded, {}, False),
            "and one spelling of Sanskrit words": (fold, {}, False),
            "and the glossary": (fold, glossary, False),
            "and the context among the words": (fold, glossary, True),
        })  # fmt: skip
        roomy = list(pieces(True))
        situated = vectors([embedded_text(piece.context, piece.text) for piece in roomy])
        lines += table("meaning and words, the context embedded", roomy, situated, {
            "and not among the words": (fold, glossary, False),
            "and among the words": (fold, glossary, True),
        })  # fmt: skip
    print(publish("context", lines))


def table(name, cut, embedded, steps, *, in_iast=False):
    """Yield the rows of a table: how each step fares, and what it won and lost against the one before."""
    yield from ("", f"| by {name} ({len(cut):,} passages) | found in 10 | won and lost |", "|---|---|---|")
    before = None
    for step, (folding, groups, with_context) in steps.items():
        found = found_in_ten(cut, embedded, folding=folding, groups=groups, with_context=with_context, in_iast=in_iast)
        yield f"| {step} | {Share.of(found)} | {compared(before, found) if before else '–'} |"
        before = found


HEAD = (
    "## Folding, glossary and context",
    "",
    "The questions of `golden/dev.jsonl` whose gold lies in the lectures, over those lectures alone: is the gold "
    "within the ten closest of all passages, at most six of one lecture, closeness as retrieval weighs it (without "
    "its pool)? Shares with 95 % Wilson intervals. Read by: `python -m tests.benchmarks.context`.",
)
WORDS_ONLY = "What embedding the context gains was not measured in this run (`--words`); it is searched as words only."

if __name__ == "__main__":
    main()
