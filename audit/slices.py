"""Tables of the report that cut the turns by model, prompt and so on, and those that say what to look at first."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _noop

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
from lectorium.texts.local_text import local_text

QUESTION_SHOWN = 120  # characters on the page; the CSV has the whole question
SLICES_SHOWN = 20
SLICED = ("coverage", "refused", "caught-turns", "faithfulness")
UNHELPFUL = frozenset({"not_helpful", "in_sources", "not_said"})
TITLES = {
    "mode": _noop("By mode"),
    "model": _noop("By model"),
    "prompt": _noop("By prompt version"),
    "collection": _noop("By collection"),
    "language": _noop("By language"),
}
COLUMNS = {
    "mode": _noop("Mode"),
    "model": _noop("Model"),
    "prompt": _noop("Prompt"),
    "collection": _noop("Collection"),
    "language": _noop("Language"),
}
NO_VALUE = {
    "model": _noop("no model: quoted, refused"),
    "prompt": _noop("no prompt"),
    "language": _noop("not told"),
}


def slice_tables(span: Span, mode: str) -> tuple[Table, ...]:
    return tuple(_slice_table(span, mode, dimension) for dimension in TITLES)


def worst_table(span: Span, mode: str) -> Table:
    meaning = _("A reviewer who disagrees weighs 3, a complaint of a reader 2, a sentence that the checks caught 1.")
    return turns_table(Table("worst", _("Worst answers"), (), (), meaning), worst_turns(span, mode))


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
        _("Lectures and works with most trouble"),
        (_("Source"), _("Troubled"), _("Turns"), _("Share")),
        rows,
        _(
            "Turns whose evidence has a passage of the source, and those of them that reviewers, readers or the checks "
            "object to. A source is not to blame for every one of them."
        ),
    )
    clicks = clicked_sources(span)
    top = max((times for __, times in clicks), default=0)
    clicked = Table(
        "clicks",
        _("Citations that readers opened"),
        (_("Source"), _("Times")),
        tuple((Cell(source, source), number(times, top)) for source, times in clicks),
        _("In every mode. Who opened them is not stored."),
    )
    return trouble, clicked


def turns_table(table: Table, turns: Sequence[CaughtTurn]) -> Table:
    """The table with a row for each turn, linked to its trace."""
    rows = tuple(
        (
            Cell(date_format(turn.at, _("j M, H:i")), turn.at.isoformat(timespec="seconds")),
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
    columns = (_("When (UTC)"), _("Question"), _("Mode"), _("Outcome"), _("Reason"), _("Trouble"))
    return Table(table.name, table.title, columns, rows, table.meaning)


def _slice_table(span: Span, mode: str, dimension: str) -> Table:
    tallies = {value: Tally.of(counts) for value, counts in slice_counts(span, mode, dimension).items()}
    by_turns = sorted(tallies.items(), key=lambda item: (-item[1].number(TallyKind.OUTCOME), item[0]))
    figures = [figure for figure in FIGURES if figure.name in SLICED]
    rows, of = [], _("{share} of {number}")
    for value, tally in by_turns[:SLICES_SHOWN]:
        turns = tally.number(TallyKind.OUTCOME)
        complaints = Share(tally.number(TallyKind.FEEDBACK, among=UNHELPFUL), turns)
        measured = [figure.measure(tally) for figure in figures]
        shares = [
            Cell(of.format(share=percent(m.value), number=number(m.total).text), round(m.value, 4))
            if m.total
            else Cell(NONE, "")
            for m in measured
        ]
        name = Cell(value or local_text(NO_VALUE.get(dimension, NONE)), value)
        rows.append((name, number(turns), *shares, number(complaints.hits)))
    titles = (local_text(figure.title) for figure in figures)
    columns = (local_text(COLUMNS[dimension]), _("Turns"), *titles, _("Complaints"))
    meaning = _("A turn counts with every collection that its evidence is from.") if dimension == "collection" else ""
    return Table(f"by-{dimension}", local_text(TITLES[dimension]), columns, tuple(rows), meaning)
