"""Markdown tables: the one shape of tables in all measurement reports (evaluation/, training/)."""

from collections.abc import Collection, Iterable, Sequence


def table(columns: Sequence[str], rows: Iterable[Iterable[object]], *, right: Collection[str] = ()) -> list[str]:
    """The lines of a table and an empty line. right: the columns that are aligned right."""
    rules = ("---:" if column in right else "---" for column in columns)
    return [_line(columns), f"|{'|'.join(rules)}|", *map(_line, rows), ""]


def _line(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"
