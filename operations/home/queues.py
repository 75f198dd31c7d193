"""Panels of what waits for editors and reviewers."""

from itertools import chain
from typing import Any

from django.db.models import Count, Q
from django.urls import reverse

from articles.models import Article
from articles.selectors import editable_articles
from audit.models import Feedback, GapCluster, RegressionCase
from curation.facts.reading import due_chunks
from curation.facts.selectors import fact_progress
from curation.models import Contradiction, Fact, MemoryNote, PinnedQuestion, SubjectReview
from operations.home.panels import HomeLine, HomePanel, Viewer, counted

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
            f"asked {counted(row.times or 0, 'time')}",
            reverse("admin:gap_pin", args=[row.pk]) if may_pin else "",
            "Open the pin" if row.pin_id else "Pin an answer",
        )
        for row in rows
    ]
    url = f"{reverse('admin:audit_gapcluster_changelist')}?state__exact=open"
    number = found.count()
    return HomePanel("gaps", "Knowledge gaps", url, counted(number, "open gap"), lines, waits=bool(number))


def reviews(viewer: Viewer) -> HomePanel:
    """Pins and notes in review, oldest first."""
    pins = PinnedQuestion.objects.filter(state=IN_REVIEW).order_by("updated_at")
    notes = MemoryNote.objects.filter(state=IN_REVIEW).order_by("updated_at")
    rows = sorted(chain(pins[:LINES], notes[:LINES]), key=lambda row: row.updated_at)[:LINES]
    lines = [
        HomeLine(
            str(row)[:TEXT],
            reverse(f"admin:curation_{row._meta.model_name}_change", args=[row.pk]),
            f"{'pin' if isinstance(row, PinnedQuestion) else 'note'}, since {row.updated_at:%-d %B}",
        )
        for row in rows
    ]
    number = pins.count() + notes.count()
    drafts = PinnedQuestion.objects.filter(state="draft").count() + MemoryNote.objects.filter(state="draft").count()
    figure = f"{counted(number, 'entry', 'entries')} in review, {counted(drafts, 'draft')}"
    url = f"{reverse('admin:curation_pinnedquestion_changelist')}?state__exact={IN_REVIEW}"
    return HomePanel("reviews", "Review queue", url, figure, lines, waits=bool(number))


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
            f"risk {row.latest.risk}" if row.latest else "not compiled",
        )
        for row in rows[:LINES]
    ]
    number = rows.count()
    figure = f"{counted(number, 'article')} to review"
    return HomePanel("articles", "Articles", reverse("admin:articles_article_changelist"), figure, lines, bool(number))


def facts(viewer: Viewer) -> HomePanel | None:
    """What waits for an editor about facts, and how far their reading is; no panel without facts."""
    if not Fact.objects.exists():
        return None
    conflicts = Contradiction.objects.filter(resolved_at=None).select_related("one").order_by("created_at")
    subjects = SubjectReview.objects.filter(closed_at=None)
    lines = [
        HomeLine(row.one.subject[:TEXT], reverse("admin:curation_contradiction_change", args=[row.pk]), "contradiction")
        for row in conflicts[:LINES]
    ]
    url = reverse("admin:curation_subjectreview_changelist")
    lines += [HomeLine(row.subject[:TEXT], url, "to consolidate") for row in subjects[: LINES - len(lines)]]
    progress, number = fact_progress(due_chunks()), conflicts.count() + subjects.count()
    figure = f"{counted(number, 'decision')} waiting, {progress.sources:,} of {progress.sources_in_all:,} sources read"
    return HomePanel("facts", "Facts", reverse("admin:curation_fact_changelist"), figure, lines, waits=bool(number))


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
    return HomePanel("feedback", "Feedback", url, f"{number:,} to look at", lines, waits=bool(number))


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
    figure = (
        f"{failed:,} of {counted(number, 'case')} no longer answered" if failed else f"{counted(number, 'case')} kept"
    )
    url = f"{reverse('admin:audit_regressioncase_changelist')}?passed__exact=0"
    return HomePanel("regressions", "Regression cases", url, figure, lines, waits=bool(failed))
