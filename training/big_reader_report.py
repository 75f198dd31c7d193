"""The big reader's figures beside the small one's, as Markdown."""

from collections.abc import Iterator
from typing import Any

from lectorium.report_table import table

Result = dict[str, Any]
CALLED = ("true_supported", "false_supported")
ABSTAINING = {
    "auroc": "AUROC of the abstain score",
    "ece": "ECE of the abstain score",
    "unanswerable_answered_at_0.70": "unanswerable answered at 0.70 coverage",
    "unanswerable_answered_at_0.80": "unanswerable answered at 0.80 coverage",
}
LEAST_AUROC, MOST_ANSWERED = 0.80, 0.30  # on SQuAD 2
MACROS = {
    "rows not trained on": "some corpora were, see above",
    "strictly unseen": "no claim of their corpora was trained on",
    "all sets": "",
}


def big_reader_lines(found: Result, big: Result) -> Iterator[str]:
    """The same sets read by the small and the big reader."""
    yield from ("### The big reader on the same sets", "")
    yield (
        f"Adapter `{big['weights']}`. Regenerate: `python -m training evaluate --part grounding --part answerability "
        "--part twins --weights lectorium/providers/mpnet/weights`, then `report`. "
        f"At most {_most_rows(big)} rows a set, of the small reader's {_most_rows(found)}."
    )
    yield ""
    small = {row["set"]: row for row in found["grounding"]["sets"]}
    macros = {name: row for name, row in big["grounding"]["macros"].items() if name in MACROS}
    rows = [(row["set"], small[row["set"]], row) for row in big["grounding"]["sets"] if row["set"] in small]
    rows += [(f"**macro, {name}**", found["grounding"]["macros"][name], row) for name, row in macros.items()]
    columns = ("set", "small, AUROC", "big, AUROC", "big: true claims supported", "big: false claims supported")
    yield from table(
        columns,
        (
            (name, estimate_text(one["auroc"]), *(estimate_text(row[key]) for key in ("auroc", *CALLED)))
            for name, one, row in rows
        ),
    )
    read = [(name, found["answerability"].get(key), big["answerability"][key]) for key, name in ABSTAINING.items()]
    read.append(("AUROC, golden question against its false twin", found["twins"]["auroc"], big["twins"]["auroc"]))
    yield from table(
        ("SQuAD 2, held-back articles", "small", "rows", "big", "rows"),
        ((name, *_with_rows(one), *_with_rows(row)) for name, one, row in read),
    )
    apart, wrongly = (big["answerability"][key]["value"] for key in ("auroc", "unanswerable_answered_at_0.80"))
    yield (
        f"Goals: AUROC at least {LEAST_AUROC:.2f}, {'met' if apart >= LEAST_AUROC else 'missed'}; at 0.80 coverage at "
        f"most {MOST_ANSWERED:.2f} of the unanswerable answered, {'met' if wrongly <= MOST_ANSWERED else 'missed'}."
    )
    yield ""


def _with_rows(measured: Result | None) -> tuple[object, object]:
    return (estimate_text(measured), measured["rows"]) if measured else ("–", "–")


def _most_rows(found: Result) -> int:
    return max(int(row["auroc"]["rows"]) for row in found["grounding"]["sets"])


def estimate_text(value: Result, form: str = ".3f") -> str:
    """A measure as "0.812 (0.78–0.84)"; "no rows" without any."""
    if not value["rows"]:
        return "no rows"
    return f"{value['value']:{form}} ({value['low']:.2f}–{value['high']:.2f})"
