"""How well follow-ups are spelled out, on MTRAG's human rewrites and the natural questions of the development half.

    .venv/bin/python -m tests.benchmarks.follow_ups [--answers]

writes docs/results/follow_ups.md. Needs LECTORIUM_DATA, no database. With --answers the development half's follow-ups
about the sample lectures are asked as well: that needs the sample corpus (`manage.py prepare`).
"""

import asyncio
import json
import os
import sys
from dataclasses import dataclass

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "lectorium.settings")

import django
from django.conf import settings

django.setup()

from audit.domain.metrics import Share
from chat.answering.domain.query import planning
from chat.answering.domain.question import HistoryMessage
from chat.answering.domain.thread.follow_up import read_follow_up
from corpus.domain.text.sentences import sentence_spans
from corpus.domain.text.stopwords import ASKING_WORDS
from corpus.language import lexeme, lexemes
from evaluation.natural import history_of, read_half, run_natural
from evaluation.results import publish

VAGUE = frozenset(lexemes(planning.VAGUE_WORDS))
ASKING = frozenset(lexeme(word) for word in ASKING_WORDS)


@dataclass(frozen=True)
class RewrittenTurn:
    """A turn of MTRAG. owed: the words its human rewrite took from the turns before it."""

    asked: str
    before: tuple[str, ...]
    owed: frozenset[str]


def topic_of(text):
    return frozenset(lexemes(text)) - ASKING


def rewritten_turns():
    """Yield the turns of MTRAG that have turns before them."""
    path = settings.DATA_DIR / "qa" / "mtrag" / "query_rewrites.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        *before, asked = row["all_user_turns"]
        if before:
            earlier = frozenset().union(*map(topic_of, before))
            owed = (topic_of(row["rewrite"]) - topic_of(asked)) & earlier
            yield RewrittenTurn(asked, tuple(before), owed)


def before(text, thread):
    """Return the standalone question by the rule of revision 7708ddc: behind the last one, if it leans."""
    words = lexemes(text)
    own = planning.own_words(words, VAGUE)
    if not (planning.points_back(text, words, own) or planning.is_fragment(text, words)):
        return text
    last = thread[-1].content
    chain = [last[start:end].strip() for start, end in sentence_spans(last)]
    return " ".join([*chain[:1], *chain[1:][-1:], text.strip()])


def today(text, thread):
    words = lexemes(text)
    return read_follow_up(text, words, planning.own_words(words, VAGUE), thread).standalone


def spelled_out(turn, rule):
    """Return the turn by itself. As in the product, the thread holds the standalone questions of those before it."""
    thread = ()
    for text in (*turn.before, turn.asked):
        said = rule(text, thread) if thread else text
        thread += (HistoryMessage("user", said),)
    return said


def rewriting(turns, rule):
    """Yield the cells of a rule: leaning turns spelled out, with some and with all of the words, and others changed."""
    owing = [(turn, spelled_out(turn, rule)) for turn in turns if turn.owed]
    whole = [(turn, spelled_out(turn, rule)) for turn in turns if not turn.owed]
    yield Share.of(said.strip() != turn.asked.strip() for turn, said in owing)
    yield Share.of(bool(turn.owed & topic_of(said)) for turn, said in owing)
    yield Share.of(turn.owed <= topic_of(said) for turn, said in owing)
    yield Share.of(said.strip() != turn.asked.strip() for turn, said in whole)


def answers():
    """Yield the table of what the product answers to the development half's follow-ups about the sample lectures."""
    rows = [row for row in read_half("dev") if row.get("kind") == "followup" and row["source"].startswith("sample")]
    found = asyncio.run(run_natural(rows, "auto", lambda: None))
    yes = [answer for answer in found if answer.answerable]
    yield from ("", "### Answers", "", ANSWERS, "", "| | at 7708ddc | now |", "|---|---|---|")
    now = (
        Share.of(answer.answered and answer.contains for answer in yes),
        Share.of(answer.contains for answer in yes),
        Share.of(answer.leads for answer in yes),
        Share.of(answer.answered for answer in found if not answer.answerable),
    )
    yield from (f"| {name} | {old} | {share} |" for (name, old), share in zip(ANSWERED_BEFORE, now, strict=True))
    yield from ("", "| question | standalone question | outcome | contains the answer |", "|---|---|---|---|")
    for row, answer in zip(rows, found, strict=True):
        thread = tuple(HistoryMessage(role, content) for role, content in history_of(row))
        said = today(row["question"], thread)
        yield f"| {row['question']} | {said} | {answer.outcome} | {'yes' if answer.contains else 'no'} |"


def main():
    turns = list(rewritten_turns())
    columns = [list(rewriting(turns, rule)) for rule in (before, today)]
    lines = [*HEAD, *(f"| {name} | {old} | {new} |" for name, old, new in zip(NAMES, *columns, strict=True))]
    print(publish("follow_ups", [*lines, *(answers() if "--answers" in sys.argv else ())]))


HEAD = (
    "## Follow-ups",
    "",
    "MTRAG (`qa/mtrag/query_rewrites.jsonl`): people asked questions in turn, and others rewrote each so that it "
    "stands by itself. A turn owes its thread the topic words (stems) that its rewrite has, the turn itself has not, "
    "and an earlier turn has. Only the readers' turns are stored: what a rewrite took from an answer is not counted. "
    "Shares with 95 % Wilson intervals. Read by: `python -m tests.benchmarks.follow_ups --answers`.",
    "",
    "| | at 7708ddc | now |",
    "|---|---|---|",
)
NAMES = (
    "owes its thread words: spelled out",
    "owes its thread words: at least one is added",
    "owes its thread words: all are added",
    "owes none: changed all the same",
)
# Measured once, at revision 7708ddc, on the same rows and corpus, with the small reader.
ANSWERED_BEFORE = (
    ("the answer contains the answering sentences", "0/17"),
    ("the answer or the closest passage contains them", "6/17"),
    ("the first sentence or the lead is one of them", "4/17"),
    ("unanswerable, but answered", "0/1"),
)
ANSWERS = (
    "The follow-ups of `evaluation/natural/dev.jsonl` about the sample lectures, asked over the sample corpus in auto "
    "mode without a chat model. The thread is given as text, as an API client gives it: no citation is known. "
    "`ContinuationRules.near_boost` was chosen on these rows. Not measured: follow-ups about the real lectures and the "
    "unseen half."
)

if __name__ == "__main__":
    main()
