"""How well follow-ups are spelled out, on MTRAG's human rewrites and the natural questions that are fitted on.

    .venv/bin/python -m tests.benchmarks.follow_ups [--answers]

writes docs/results/follow_ups.md. Needs LECTORIUM_DATA, no database. With --answers the follow-ups about the sample
lectures are asked as well, in both ways: that needs the sample corpus (`manage.py prepare`).
"""

import asyncio
import json
import os
import sys
from dataclasses import dataclass
from statistics import median

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
ASKED = ("dev", "fresh", "eighth_dev")
RULE = "|---|---|---|---|"
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


def asked_rows():
    """Return the follow-ups about the sample lectures whose authors wrote the earlier answers, and that may be read."""
    rows = [row for half in ASKED for row in read_half(half)]
    return [row for row in rows if row.get("history") and row["source"].startswith("sample")]


def answers(rows, as_text, as_turns):
    """Yield the table of what the product answers to these follow-ups, after the two kinds of thread."""
    yield from (
        "",
        "### Answers",
        "",
        ANSWERS,
        "",
        "| | as text, at 0d88df0d | as text | as turns |",
        "|---|---|---|---|",
    )
    columns = (list(counted(found)) for found in (as_text, as_turns))
    for (name, old), text, turns in zip(ANSWERED_BEFORE, *columns, strict=True):
        yield f"| {name} | {old} | {text} | {turns} |"
    yield from (
        "",
        "| question | standalone question, of the thread as text | as text | as turns |",
        "|---|---|---|---|",
    )
    for row, text, turns in zip(rows, as_text, as_turns, strict=True):
        thread = tuple(HistoryMessage(role, content) for role, content in history_of(row))
        yield f"| {row['question']} | {today(row['question'], thread)} | {outcome(text)} | {outcome(turns)} |"


def counted(found):
    yes = [answer for answer in found if answer.answerable]
    yield Share.of(answer.answered and answer.contains for answer in yes)
    yield Share.of(answer.contains for answer in yes)
    yield Share.of(answer.leads for answer in yes)
    yield Share.of(answer.answered for answer in found if not answer.answerable)
    yield round(median(answer.words for answer in yes if answer.words))


def outcome(answer):
    held = "" if not answer.answerable else ", holds the answer" if answer.contains else ", without the answer"
    return f"{answer.outcome.replace('_', ' ')}{held}"


def both_ways(rows):
    """Return the rows, and what is answered to them after threads given as text and after threads asked as turns."""
    runs = [asyncio.run(run_natural(rows, "auto", lambda: None, as_text=as_text)) for as_text in (True, False)]
    return rows, *runs


def main():
    turns = list(rewritten_turns())
    columns = [list(rewriting(turns, rule)) for rule in (before, today)]
    lines = [*HEAD, *(f"| {name} | {old} | {new} |" for name, old, new in zip(NAMES, *columns, strict=True))]
    print(publish("follow_ups", [*lines, *(answers(*both_ways(asked_rows())) if "--answers" in sys.argv else ())]))


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
# Measured once, at revision 0d88df0d, on the same rows and corpus, with the big reader.
ANSWERED_BEFORE = (
    ("the answer contains the answering sentences", "6/44"),
    ("the answer or the closest passage contains them", "29/44 = 0.66"),
    ("the first sentence or the lead is one of them", "16/44"),
    ("unanswerable, but answered", "1/3"),
    ("words shown, median", "87"),
)
ANSWERS = (
    "The follow-ups of `dev`, `fresh` and `eighth_dev` (evaluation/natural) about the sample lectures, asked over the "
    "sample corpus in auto mode without a chat model. **As turns**: the earlier questions are asked first, in one "
    "conversation, and answered by the product, rightly or wrongly, as a reader meets them (so does `evaluate "
    "natural`). "
    "**As text**: the thread is given with the author's answers, as a program may give it, and no citation is known. "
    "The rules were made on these rows, which flatters them. Not measured here: follow-ups about the real lectures and "
    "the halves kept aside."
)

if __name__ == "__main__":
    main()
