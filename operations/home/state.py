"""Panels of the state of the corpus, its imports, its index and its translations."""

from datetime import datetime, timedelta

from django.db.models import Max, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timesince import timesince
from django.utils.translation import gettext, ngettext

from corpus.models import Collection, Import, Lecture, Transcription
from corpus.selectors import corpus_size, serving_space, space_runs
from curation.translations.selectors import LocaleProgress, translation_progress
from operations.home.panels import HomeLine, HomePanel, Viewer, counted, grouped

LINES = 5
TEXT = 160  # characters of a reason
REFUSED_FOR = timedelta(days=30)  # imports with refused files show for so long


def imports(viewer: Viewer) -> HomePanel:
    """Imports that failed, files that were refused, each with its reason, and drafted transcripts to review."""
    recent = Q(counts__refused__gt=0, created_at__gt=timezone.now() - REFUSED_FOR)
    rows = Import.objects.filter(Q(state=Import.State.FAILED) | recent & ~Q(state=Import.State.DISCARDED))
    lines = [
        HomeLine(name[:TEXT], reverse("admin:corpus_import_change", args=[row.pk]), why[:TEXT])
        for row in rows.select_related("collection")[:LINES]
        for name, why in _refusals(row)
    ]
    number = rows.count()
    drafts = Transcription.objects.filter(state=Transcription.State.REVIEW).count()
    if drafts:
        place = f"{reverse('admin:corpus_transcription_changelist')}?state__exact={Transcription.State.REVIEW}"
        drafted = ngettext("%(n)s drafted transcript", "%(n)s drafted transcripts", drafts)
        lines.insert(0, HomeLine(counted(drafted, drafts), place, gettext("to review")))
    url = reverse("admin:corpus_import_changelist")
    found = counted(ngettext("%(n)s import with a problem", "%(n)s imports with a problem", number), number)
    figure = found if number else gettext("No problems")
    return HomePanel("imports", gettext("Imports"), url, figure, lines[:LINES], waits=bool(number or drafts))


def _refusals(row: Import) -> list[tuple[str, str]]:
    if row.state == Import.State.FAILED:
        return [(str(row), row.problem or gettext("It failed."))]
    return [(str(outcome[0]), str(outcome[3])) for outcome in row.outcomes if outcome[1] == "refused"]


def corpus(viewer: Viewer) -> HomePanel:
    """How much there is, and how fresh each collection is."""
    size = corpus_size()
    collections = Collection.objects.order_by("-changed_at")
    lines = [
        HomeLine(
            row.title,
            reverse("admin:corpus_collection_change", args=[row.pk]),
            gettext("changed %(time)s ago") % {"time": _since(row.changed_at)},
        )
        for row in collections[:LINES]
    ]
    waiting = Lecture.objects.filter(text="").exclude(media="").count()
    if waiting:
        url = reverse("admin:corpus_lecture_changelist")
        recordings = ngettext("%(n)s recording", "%(n)s recordings", waiting)
        lines.append(HomeLine(counted(recordings, waiting), url, gettext("without a transcript")))
    lectures = counted(ngettext("%(n)s lecture", "%(n)s lectures", size.lectures), size.lectures)
    verses = counted(ngettext("%(n)s verse", "%(n)s verses", size.verses), size.verses)
    url = reverse("admin:corpus_lecture_changelist")
    return HomePanel("corpus", gettext("Corpus"), url, f"{lectures}, {verses}", lines)


def index(viewer: Viewer) -> HomePanel:
    """Whether everything imported is searched. It compares times: counting chunks takes long in a large corpus."""
    space, url = serving_space(), reverse("admin:corpus_indexrun_changelist")
    changed = Collection.objects.aggregate(latest=Max("changed_at"))["latest"]
    if space is None or space.indexed_at is None:
        figure = gettext("Not built yet") if changed else gettext("Nothing to index")
        return HomePanel("index", gettext("Index"), url, figure, waits=bool(changed))
    newest, failed = space_runs(space)
    lines = [
        HomeLine(
            gettext("Run of %(time)s") % {"time": date_format(run.started_at, gettext("j F Y, H:i"))},
            reverse("admin:corpus_indexrun_change", args=[run.pk]),
            f"{run.outcome} {run.error}"[:TEXT],
        )
        for run in failed[:LINES]
    ]
    if newest and newest.finished_at is None and not failed:
        figure = gettext("Running: %(n)s of %(all)s chunks") % {
            "n": grouped(newest.embedded), "all": grouped(newest.total)
        }  # fmt: skip
    elif changed and changed > space.indexed_at:
        figure = gettext("Behind: changed %(time)s ago, the hourly run follows") % {"time": _since(changed)}
    else:
        figure = gettext("Up to date, %(time)s ago") % {"time": _since(space.indexed_at)}
    return HomePanel("index", gettext("Index"), url, figure, lines, waits=bool(failed))


def translations(viewer: Viewer) -> HomePanel | None:
    """How far each language is; no panel without translations."""
    progress = translation_progress()
    url = reverse("admin:curation_translation_changelist")
    lines = [
        HomeLine(
            row.locale,
            f"{url}?locale__exact={row.locale}",
            _translated(row),
        )
        for row in progress
    ]
    undone = sum(row.missing + row.stale for row in progress)
    is_compared = all(row.is_compared for row in progress)
    done = gettext("Everything is translated") if is_compared else gettext("Not compared yet")
    left = counted(ngettext("%(n)s text to translate", "%(n)s texts to translate", undone), undone)
    figure = left if undone else done
    waits = bool(undone) or not is_compared
    return HomePanel("translations", gettext("Translations"), url, figure, lines, waits=waits) if progress else None


def _translated(row: LocaleProgress) -> str:
    """How far a locale is, or what to do first."""
    if not row.is_compared:
        return gettext("not compared with the published texts yet: choose Translate now, or wait for the hourly run")
    text = gettext("%(reviewed)s reviewed, %(machine)s by a machine, %(stale)s outdated, %(missing)s missing")
    return text % {name: grouped(getattr(row, name)) for name in ("reviewed", "machine", "stale", "missing")}


def _since(at: datetime) -> str:
    return timesince(at, depth=1)
