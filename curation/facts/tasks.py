"""Queued jobs of facts. All are idempotent; each returns a one-line summary."""

from django.conf import settings
from django_q.tasks import async_task

from audit.guards import metric_record
from curation.facts.reading import ReadingRun, facts_read
from curation.facts.scan import ConsistencyScan
from lectorium.only_run import only_run

READING, COMPARING = "another run is reading facts", "another run is comparing facts"
SCAN = "curation.facts.tasks.compare_facts"


def read_facts() -> str:
    """Read facts from sources that are new or changed, within the budget of an hour."""
    if not settings.FACTS_AN_HOUR:
        return "LECTORIUM_FACTS_AN_HOUR is 0: nothing is read"
    with only_run("facts") as alone:
        if not alone:
            return READING
        run = ReadingRun()
        for run in facts_read(budget=settings.FACTS_AN_HOUR):  # noqa: B007 - the last is the whole run
            pass
        metric_record(metric="guard1_block_rate", hits=run.blocked, total=run.checked)
        metric_record(metric="guard1_partial_rate", hits=run.partial, total=run.checked)
    return summary_of(run)


def summary_of(run: ReadingRun) -> str:
    more = f", {run.settled} checked that had waited" if run.settled else ""
    remark = f"; {run.remark}" if run.remark else ""
    return f"{run.read} sources read, {run.stored} facts stored, {run.blocked} blocked{more}{remark}"


def compare_facts() -> str:
    """Compare new and changed facts with all others, and act on what is found."""
    with only_run("fact consistency") as alone:
        if not alone:
            return COMPARING
        for scan in ConsistencyScan().run():  # noqa: B007 - the last is the whole scan
            pass
        metric_record(
            metric="guard2_contradiction_count", hits=scan.counts.get("contradiction", 0), total=scan.in_force
        )
    found = ", ".join(f"{number} {verdict}" for verdict, number in sorted(scan.counts.items()))
    return f"{scan.compared} of {scan.total} facts compared" + (f": {found}" if found else "")


def compare_soon() -> None:
    async_task(SCAN)
