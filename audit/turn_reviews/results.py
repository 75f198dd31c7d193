"""What reviewers decided: progress, agreement by kind of turn, Cohen's kappa of each pair, and the cases."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from django.utils.translation import gettext as _

from audit.domain.agreement import Kappa
from audit.domain.metrics import Share
from audit.domain.reviewing import Decision
from audit.models import ReviewedCase, ReviewItem, TurnReview
from audit.tables import Cell, Table, number, percent, share, share_columns, words
from audit.turn_reviews.services import progress

CASES_SHOWN = 100
FEW = 30  # items below which a kappa says little


@dataclass(frozen=True, slots=True)
class ReviewResults:
    tables: tuple[Table, ...]
    cases: tuple[ReviewedCase, ...]
    more_cases: int


def review_results() -> ReviewResults:
    reviews = list(TurnReview.objects.select_related("item", "reviewer").exclude(reviewer=None))
    cases = ReviewedCase.objects.select_related("item").order_by("-made_at")
    shown = tuple(cases[:CASES_SHOWN])
    tables = (_progress(), _kappas(reviews), *_by_kind(reviews))
    return ReviewResults(tables, shown, max(0, cases.count() - len(shown)))


def _progress() -> Table:
    labels = dict(ReviewItem.Source.choices)
    rows = tuple(
        (words(str(labels[row.source])), *map(number, (row.items, row.waiting, row.half, row.done)))
        for row in progress()
    )
    return Table(
        "queue", _("The queue"), (_("Why it is here"), _("Turns"), _("Not reviewed"), _("Once"), _("Twice")), rows
    )


def _kappas(reviews: Iterable[TurnReview]) -> Table:
    rows = tuple(sorted(_kappa_rows(reviews), key=lambda row: row[0].text))
    meaning = _(
        "Cohen’s kappa over the turns that both have decided: 0 is chance, 1 is full agreement. "
        "Under {number} turns it says little. A dash: both gave one decision only."
    ).format(number=FEW)
    columns = (_("Reviewers"), _("Turns"), _("Same decision"), _("Kappa"), _("Low"), _("High"))
    return Table("kappa", _("How far two reviewers agree"), columns, rows, meaning)


def _kappa_rows(reviews: Iterable[TurnReview]) -> Iterator[tuple[Cell, ...]]:
    by_item: dict[object, dict[str, str]] = defaultdict(dict)
    for review in reviews:
        by_item[review.item_id][str(review.reviewer)] = review.decision
    pairs: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for decided in by_item.values():
        for first, second in combinations(sorted(decided), 2):
            pairs[first, second].append((decided[first], decided[second]))
    for (first, second), decisions in pairs.items():
        kappa = Kappa.of(decisions)
        values = (kappa.value, *(kappa.interval if kappa.value is not None else (None, None)))
        cells = [Cell("–", "") if value is None else Cell(f"{value:.2f}", round(value, 4)) for value in values]
        same = Cell(percent(kappa.observed.value), round(kappa.observed.value, 4))
        yield Cell(f"{first} · {second}", f"{first} and {second}"), number(kappa.observed.total), same, *cells


def _by_kind(reviews: Iterable[TurnReview]) -> Iterator[Table]:
    """The share of decisions that agree with the product. Unsure ones count in neither part."""
    drawn = [review for review in reviews if review.item.source == ReviewItem.Source.SAMPLE]
    sure = [review for review in drawn if review.decision != Decision.UNSURE]
    titles = {
        "outcome": (_("Outcome"), _("Reviewers agree, by outcome")),
        "mode": (_("Mode"), _("Reviewers agree, by mode")),
        "risk": (_("Risk"), _("Reviewers agree, by risk")),
        "language": (_("Language"), _("Reviewers agree, by language")),
    }
    for name, (column, title) in titles.items():
        kinds: dict[str, list[bool]] = defaultdict(list)
        for review in sure:
            kinds[getattr(review.item, name)].append(review.decision == Decision.AGREE)
        rows = tuple((words(kind or "unknown"), *share(Share.of(agreed))) for kind, agreed in sorted(kinds.items()))
        meaning = _("Decisions on turns drawn at random, without unsure ones.") if name == "outcome" else ""
        yield Table(f"agreed-{name}", title, (column, _("Agreed"), *share_columns()[1:]), rows, meaning)
