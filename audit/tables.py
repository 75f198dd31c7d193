"""Tables of the auditor's report, for the page and as CSV."""

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date

from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _

from audit.domain.metrics import Mean, Share
from audit.domain.tallies import Span, Tally, TallyKind
from lectorium.texts.local_text import local_text

NONE = "–"
FORMULA = tuple("=+-@＝＋－＠\t\r\n")  # first characters that make a spreadsheet read a formula


@dataclass(frozen=True, slots=True)
class Cell:
    """text: on the page. value: in the CSV. bar: filled percentage, "0.0" to "100.0", or "" for no bar."""

    text: str
    value: str | float
    href: str = ""
    bar: str = ""

    @property
    def is_number(self) -> bool:
        return not isinstance(self.value, str) or self.text == NONE


@dataclass(frozen=True, slots=True)
class Table:
    """name: in the URL of the CSV. meaning: the definition of its numbers."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    meaning: str = ""

    @property
    def as_csv(self) -> str:
        """CSV in which an apostrophe keeps spreadsheets from evaluating a cell as a formula."""
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow(self.columns)
        writer.writerows([_without_formula(cell.value) for cell in row] for row in self.rows)
        return out.getvalue()


def _without_formula(value: str | float) -> str | float:
    is_formula = isinstance(value, str) and (value.startswith(FORMULA) or value.lstrip().startswith(FORMULA))
    return f"'{value}" if is_formula else value


def words(text: str, href: str = "") -> Cell:
    """A cell for a recorded name: "thin_evidence" is shown as "thin evidence", in the active language."""
    shown = text.replace("_", " ")
    return Cell(local_text(shown.lower() if shown.isupper() else shown) or NONE, text, href)


def decimal(value: float, places: int) -> str:
    """The rounded number as the language writes it; Django by itself cuts off what does not fit."""
    return number_format(round(value, places), places, force_grouping=True)


def number(value: float, most: float = 0) -> Cell:
    """A cell with a number, and a bar if `most`, the column's maximum, is given."""
    return Cell(decimal(value, 0), value, bar=f"{100 * value / most:.1f}" if most else "")


def day(span: Span) -> str:
    return short_day(span.first)


def short_day(moment: date) -> str:
    return date_format(moment, _("j M"))


def days(span: Span) -> Cell:
    text = day(span) if span.first == span.last else f"{day(span)} – {short_day(span.last)}"
    return Cell(text, f"{span.first}/{span.last}")


def percent(value: float, places: int = 1) -> str:
    return f"{decimal(100 * value, places)} %"


def share_columns() -> tuple[str, ...]:
    return _("Counted"), _("Of"), _("Share"), _("Low"), _("High")


def share(measured: Share | Mean) -> tuple[Cell, ...]:
    """The cells of `share_columns`; dashes if nothing was counted."""
    if isinstance(measured, Mean):
        counted = Cell(decimal(measured.sum, 1), round(measured.sum, 4))
    else:
        counted = number(measured.hits)
    shares = (measured.value, *measured.interval) if measured.total else ()
    cells = [Cell(percent(value), round(value, 4)) for value in shares] or [Cell(NONE, "")] * 3
    return counted, number(measured.total), *cells


def shares_table(
    table: Table, tally: Tally, recorded: TallyKind, deleted: TallyKind, href: Callable[[str], str]
) -> Table:
    """The table with the count of each name, recorded and deleted, and its share of the total."""
    whole = tally.number(recorded, deleted)
    rows = []
    for name, times in tally.by_name(recorded, deleted).items():
        __, of, part, *interval = share(Share(times, whole))
        part = replace(part, bar=f"{100 * times / whole:.1f}" if whole else "")
        numbers = (number(tally.number(kind, among={name})) for kind in (recorded, deleted))
        rows.append((words(name, href(name)), *numbers, of, part, *interval))
    return Table(
        table.name, table.title, (*table.columns, _("Recorded"), _("Deleted"), *share_columns()[1:]), tuple(rows)
    )


def times_table(table: Table, tally: Tally, kind: TallyKind) -> Table:
    """The table with the count of each name."""
    times = tally.by_name(kind)
    most = max(times.values(), default=0)
    rows = tuple((words(name), number(count, most)) for name, count in times.items())
    return Table(table.name, table.title, (*table.columns, _("Times")), rows, table.meaning)
