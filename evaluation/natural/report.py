"""The page of the natural questions, docs/results/natural.md."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import median

from evaluation.natural import NaturalResult, shares, useful_against_wrong
from lectorium.report_table import table

NATURAL_HEAD = """## Natural questions

Questions in readers' own words by authors who know the lectures and not the rules
([the sets](../../evaluation/natural/README.md)). Regenerate a part, with the names in its title:
`manage.py evaluate natural --half report --of samples`, and `--of real` over a stack that holds
the real lectures too ([how to make it](../auditors.md#measuring)).
Nothing was fitted on the sets of `report`, and nobody who tunes has read them.
"""
GOALS = {
    "answer contains the answering sentences": "0.75",
    "answer or closest passage contains them": "0.90",
    "follow-ups, the same": "0.75",
    "shown with a lead that answers": "0.60",
    "unanswerable answered": "0.04",
    "words shown, median": "90",
}
TRADE_OFF = ("chance", "answerable shown the answer", "all shown something else")
CURVE_LABELS = "all questions shown something else", "answerable ones shown the answer"


def natural_part(found: Mapping[str, Sequence[NaturalResult]], mode: str, corpus: str, curve: str) -> list[str]:
    """Lines of a part of docs/results/natural.md. found: the answers of each half. curve: the name of its picture."""
    together = [answer for answers in found.values() for answer in answers]
    groups = {**found, **({"together": together} if len(found) > 1 else {})}
    names = shares(together)
    rows: list[tuple[object, ...]] = [
        (name, *(shares(own).get(name, "–") for own in groups.values()), GOALS.get(name, "–")) for name in names
    ]
    words = "words shown, median"
    rows.append((words, *map(_median_words, groups.values()), GOALS[words]))
    kinds = ("kind", "answered", "closest passage", "contains the answer", "of")
    return [
        f"{len(together)} questions, {mode} mode, over {corpus}. Shares with 95 % Wilson intervals.",
        "",
        *table(("", *groups, "goal"), rows),
        "By kind:",
        "",
        *table(kinds, _by_kind(together), right=kinds[1:]),
        f"By the least chance at which anything is shown ([curve]({curve}.svg)):",
        "",
        *table(TRADE_OFF, _trade_off(together), right=TRADE_OFF),
    ]


def _trade_off(answers: Sequence[NaturalResult]) -> Iterable[tuple[object, ...]]:
    return ((f"{bar:.1f}", f"{useful:.2f}", f"{wrong:.2f}") for bar, wrong, useful in useful_against_wrong(answers))


def _by_kind(answers: Sequence[NaturalResult]) -> Iterable[tuple[object, ...]]:
    for kind, number in Counter(answer.kind for answer in answers).most_common():
        own = [answer for answer in answers if answer.kind == kind]
        yield (
            kind.replace("_", " "),
            sum(answer.answered for answer in own),
            sum(answer.closest for answer in own),
            sum(answer.contains for answer in own),
            number,
        )


def _median_words(answers: Sequence[NaturalResult]) -> int:
    shown = [answer.words for answer in answers if answer.words]
    return round(median(shown)) if shown else 0
