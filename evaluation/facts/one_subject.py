"""How long the scan takes where thousands of facts have one subject and one predicate."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db import transaction

from curation.facts.scan import ConsistencyScan
from curation.models import Fact
from evaluation.facts.planted_clusters import SyntheticFact
from evaluation.facts.scan import store_facts
from lectorium.report_table import table

BEGIN = date(1900, 1, 1)


@dataclass(frozen=True, slots=True)
class SubjectFigures:
    """left: facts in force afterwards. counts: pairs by outcome."""

    form: str
    facts: int
    seconds: float
    left: int
    counts: Mapping[str, int]


def _fact(predicate: str, object_: str, day: date | None = None) -> SyntheticFact:
    return SyntheticFact("Goodwin", predicate, object_, f"Goodwin {predicate} {object_}.", day)


FORMS: Mapping[str, Callable[[int], SyntheticFact]] = {
    "one statement again and again": lambda at: _fact("lives in", "Belur"),
    "a new place every few days": lambda at: _fact("lives in", f"house {at}", BEGIN + timedelta(days=4 * at)),
    "another number each": lambda at: _fact("has", f"{at + 2} sons"),
    "another thing each": lambda at: _fact("enjoys", f"song {at} of the river"),
}


def measure_subject(number: int, on_form: Callable[[int], object]) -> list[SubjectFigures]:
    """Scan `number` facts of each form. Nothing stays in the database."""
    found = []
    for form, make in FORMS.items():
        with transaction.atomic():
            Fact.objects.filter(superseded_by=None).update(compared_at=None)
            ids = store_facts([make(at) for at in range(number)])
            began = time.perf_counter()
            *_, scan = ConsistencyScan().run()
            seconds = time.perf_counter() - began
            left = Fact.objects.filter(pk__in=ids, superseded_by=None).count()
            transaction.set_rollback(True)
        found.append(SubjectFigures(form, number, seconds, left, scan.counts))
        on_form(1)
    return found


def subject_part(found: Sequence[SubjectFigures], verifier: str, machine: str) -> list[str]:
    """Lines of docs/results/facts.md."""
    rows = (
        (
            figures.form, f"{figures.facts:,}", f"{figures.seconds:.0f}", f"{figures.left:,}",
            ", ".join(f"{count:,} {name}" for name, count in sorted(figures.counts.items())),
        )
        for figures in found
    )  # fmt: skip
    columns = ("facts on one subject and predicate", "facts", "seconds", "in force afterwards", "suspect pairs")
    return [
        f"One scan over facts that share their subject and predicate, {machine}; judge: the rules and `{verifier}`. "
        "Each fact meets the 20 nearest in time, the first and the last, and its 10 most similar ones. Pairs that only "
        "a verifier can tell apart are read up to a bound, and the next scan goes on. "
        "Regenerate: `manage.py evaluate_facts subject`.",
        "",
        *table(columns, rows, right=columns[1:4]),
    ]
