"""Tables of the report that cut the turns by model, prompt and so on, and those that say what to look at first."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.text import Truncator

from audit.domain.figures import FIGURES
from audit.domain.metrics import Share
from audit.domain.tallies import Span, Tally, TallyKind
from audit.selectors import (
    CaughtTurn,
    clicked_sources,
    slice_counts,
    troubling_sources,
    worst_turns,
)
from audit.tables import NONE, Cell, Table, number, percent, words

QUESTION_SHOWN = 120  # characters on the page; the CSV has the whole question
SLICES_SHOWN = 20
SLICED = ("coverage", "refused", "caught-turns", "faithfulness")
UNHELPFUL = frozenset({"not_helpful", "in_sources", "not_said"})
TITLES = {
    "mode": "By mode",
    "model": "By model",
    "prompt": "By prompt version",
    "collection": "By collection",
    "language": "By language",
}
NO_VALUE = {"model": "no model: quoted, refused", "prompt": "no prompt", "language": "not told"}


def slice_tables(span: Span, mode: str) -> tuple[Table, ...]:
    return tuple(_slice_table(span, mode, dimension) for dimension in TITLES)


def worst_table(span: Span, mode: str) -> Table:
    meaning = "A reviewer who disagrees weighs 3, a complaint of a reader 2, a sentence that the checks caught 1."
    return turns_table(Table("worst", "Worst answers", (), (), meaning), worst_turns(span, mode))


def source_tables(span: Span, mode: str) -> tuple[Table, ...]:
    sources = troubling_sources(span, mode)
    most = max((source.trouble for source in sources), default=0)
    rows = tuple(
        (
            Cell(source.name, source.name),
            number(source.trouble, most),
            number(source.turns),
            Cell(percent(source.trouble / source.turns), round(source.trouble / source.turns, 4)),
        )
        for source in sources
    )
    trouble = Table(
        "sources",
        "Lectures and works with most trouble",
        ("Source", "Troubled", "Turns", "Share"),
        rows,
        "Turns whose evidence has a passage of the source, and those of them that reviewers, readers or the checks "
        "object to. A source is not to blame for every one of them.",
    )
    clicks = clicked_sources(span)
    top = max((times for _, times in clicks), default=0)
    clicked = Table(
        "clicks",
        "Citations that readers opened",
        ("Source", "Times"),
        tuple((Cell(source, source), number(times, top)) for source, times in clicks),
        "In every mode. Who opened them is not stored.",
    )
    return trouble, clicked


def turns_table(table: Table, turns: Sequence[CaughtTurn]) -> Table:
    """The table with a row for each turn, linked to its trace."""
    rows = tuple(
        (
            Cell(f"{turn.at:%-d %b, %H:%M}", turn.at.isoformat(timespec="seconds")),
            Cell(
                Truncator(turn.question).chars(QUESTION_SHOWN) or NONE,
                turn.question,
                reverse("audit_turn", args=[turn.id]),
            ),
            words(turn.mode),
            words(turn.outcome),
            words(turn.reason),
            words(turn.trouble),
        )
        for turn in turns
    )
    columns = ("When (UTC)", "Question", "Mode", "Outcome", "Reason", "Trouble")
    return Table(table.name, table.title, columns, rows, table.meaning)


def _slice_table(span: Span, mode: str, dimension: str) -> Table:
    tallies = {value: Tally.of(counts) for value, counts in slice_counts(span, mode, dimension).items()}
    by_turns = sorted(tallies.items(), key=lambda item: (-item[1].number(TallyKind.OUTCOME), item[0]))
    figures = [figure for figure in FIGURES if figure.name in SLICED]
    rows = []
    for value, tally in by_turns[:SLICES_SHOWN]:
        turns = tally.number(TallyKind.OUTCOME)
        complaints = Share(tally.number(TallyKind.FEEDBACK, among=UNHELPFUL), turns)
        measured = [figure.measure(tally) for figure in figures]
        shares = [
            Cell(f"{percent(m.value)} of {m.total:,}", round(m.value, 4)) if m.total else Cell(NONE, "")
            for m in measured
        ]
        name = Cell(value or NO_VALUE.get(dimension, NONE), value)
        rows.append((name, number(turns), *shares, number(complaints.hits)))
    columns = (dimension.capitalize(), "Turns", *(figure.title for figure in figures), "Complaints")
    meaning = "A turn counts with every collection that its evidence is from." if dimension == "collection" else ""
    return Table(f"by-{dimension}", TITLES[dimension], columns, tuple(rows), meaning)
