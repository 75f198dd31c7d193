"""Panels of what waits for editors and reviewers."""

from itertools import chain
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from articles.models import Article
from articles.selectors import editable_articles
from audit.models import Feedback, GapCluster, RegressionCase
from curation.facts.reading import due_chunks
from curation.facts.selectors import fact_progress
from curation.models import Contradiction, Fact, MemoryNote, PinnedQuestion, SubjectReview
from operations.home.panels import HomeLine, HomePanel, Viewer, counted, grouped

LINES = 5
TEXT = 110  # characters of a line
IN_REVIEW = PinnedQuestion.State.IN_REVIEW


def gaps(viewer: Viewer) -> HomePanel:
    """Open gaps, the most asked first, each with the button that opens its pin."""
    found = GapCluster.objects.filter(state=GapCluster.State.OPEN)
    rows: Any = found.described()[:LINES]
    may_pin = viewer.has_perms(("audit.change_gapcluster", "curation.add_pinnedquestion"))
    lines = [
        HomeLine(
            (row.label or "–")[:TEXT],
            reverse("admin:audit_gapcluster_change", args=[row.pk]),
            counted(ngettext("asked %(n)s time", "asked %(n)s times", row.times or 0), row.times or 0),
            reverse("admin:gap_pin", args=[row.pk]) if may_pin else "",
            gettext("Open the pin") if row.pin_id else gettext("Pin an answer"),
        )
        for row in rows
    ]
    url = f"{reverse('admin:audit_gapcluster_changelist')}?state__exact=open"
    number = found.count()
    figure = counted(ngettext("%(n)s open gap", "%(n)s open gaps", number), number)
    return HomePanel("gaps", gettext("Knowledge gaps"), url, figure, lines, waits=bool(number))


def reviews(viewer: Viewer) -> HomePanel:
    """Pins and notes in review, oldest first."""
    pins = PinnedQuestion.objects.filter(state=IN_REVIEW).order_by("updated_at")
    notes = MemoryNote.objects.filter(state=IN_REVIEW).order_by("updated_at")
    rows = sorted(chain(pins[:LINES], notes[:LINES]), key=lambda row: row.updated_at)[:LINES]
    lines = [
        HomeLine(
            str(row)[:TEXT],
            reverse(f"admin:curation_{row._meta.model_name}_change", args=[row.pk]),
            (gettext("pin, since %(day)s") if isinstance(row, PinnedQuestion) else gettext("note, since %(day)s"))
            % {"day": date_format(row.updated_at, gettext("j F Y"))},
        )
        for row in rows
    ]
    number = pins.count() + notes.count()
    drafts = PinnedQuestion.objects.filter(state="draft").count() + MemoryNote.objects.filter(state="draft").count()
    waiting = counted(ngettext("%(n)s entry in review", "%(n)s entries in review", number), number)
    drafted = counted(ngettext("%(n)s draft", "%(n)s drafts", drafts), drafts)
    figure = f"{waiting}, {drafted}"
    url = f"{reverse('admin:curation_pinnedquestion_changelist')}?state__exact={IN_REVIEW}"
    return HomePanel("reviews", gettext("Review queue"), url, figure, lines, waits=bool(number))


def articles(viewer: Viewer) -> HomePanel | None:
    """Articles of high risk that nobody reviewed, and those in review; no panel before the first article."""
    found = editable_articles(viewer)
    if not found.exists():
        return None
    risky = Q(latest__risk="high", latest__reviewed_at=None) & ~Q(state=Article.State.WITHDRAWN)
    rows = found.filter(risky | Q(state=IN_REVIEW)).select_related("latest").order_by("updated_at")
    lines = [
        HomeLine(
            str(row)[:TEXT],
            reverse("admin:articles_article_change", args=[row.pk]),
            gettext("risk %(risk)s") % {"risk": gettext(row.latest.risk)} if row.latest else gettext("not compiled"),
        )
        for row in rows[:LINES]
    ]
    number = rows.count()
    figure = counted(ngettext("%(n)s article to review", "%(n)s articles to review", number), number)
    url = reverse("admin:articles_article_changelist")
    return HomePanel("articles", gettext("Articles"), url, figure, lines, bool(number))


def facts(viewer: Viewer) -> HomePanel | None:
    """What waits for an editor about facts, and how far their reading is; no panel without facts."""
    if not Fact.objects.exists():
        return None
    conflicts = Contradiction.objects.filter(resolved_at=None).select_related("one").order_by("created_at")
    subjects = SubjectReview.objects.filter(closed_at=None)
    lines = [
        HomeLine(
            row.one.subject[:TEXT],
            reverse("admin:curation_contradiction_change", args=[row.pk]),
            gettext("contradiction"),
        )
        for row in conflicts[:LINES]
    ]
    url = reverse("admin:curation_subjectreview_changelist")
    lines += [HomeLine(row.subject[:TEXT], url, gettext("to consolidate")) for row in subjects[: LINES - len(lines)]]
    progress, number = fact_progress(due_chunks()), conflicts.count() + subjects.count()
    read = gettext("%(n)s of %(all)s sources read") % {
        "n": grouped(progress.sources), "all": grouped(progress.sources_in_all)
    }  # fmt: skip
    waiting = ngettext("%(n)s decision waiting", "%(n)s decisions waiting", number)
    figure = f"{counted(waiting, number)}, {read}"
    return HomePanel(
        "facts", gettext("Facts"), reverse("admin:curation_fact_changelist"), figure, lines, waits=bool(number)
    )


def feedback(viewer: Viewer) -> HomePanel:
    """Feedback that nobody looked at yet; "Helpful" needs no look."""
    unseen = Feedback.objects.filter(review="").exclude(kind=Feedback.Kind.HELPFUL)
    lines = [
        HomeLine(
            row.question[:TEXT] or "–", reverse("admin:audit_feedback_change", args=[row.pk]), row.get_kind_display()
        )
        for row in unseen.order_by("-given_at")[:LINES]
    ]
    url = f"{reverse('admin:audit_feedback_changelist')}?review__exact="
    number = unseen.count()
    return HomePanel(
        "feedback", gettext("Feedback"), url, counted(gettext("%(n)s to look at"), number), lines, waits=bool(number)
    )


def regressions(viewer: Viewer) -> HomePanel | None:
    """Questions that were answered and are not any more; no panel before the first case."""
    cases = RegressionCase.objects.filter(active=True)
    states = dict(cases.values_list("passed").annotate(number=Count("pk")).order_by())
    if not states:
        return None
    failed = states.get(False, 0)
    lines = [
        HomeLine(case.question[:TEXT], reverse("admin:audit_regressioncase_change", args=[case.pk]), case.outcome)
        for case in cases.filter(passed=False)[:LINES]
    ]
    number = sum(states.values())
    kept = counted(ngettext("%(n)s case kept", "%(n)s cases kept", number), number)
    figure = gettext("%(n)s of %(all)s cases no longer answered") % {"n": grouped(failed), "all": grouped(number)}
    url = f"{reverse('admin:audit_regressioncase_changelist')}?passed__exact=0"
    return HomePanel(
        "regressions", gettext("Regression cases"), url, figure if failed else kept, lines, waits=bool(failed)
    )
