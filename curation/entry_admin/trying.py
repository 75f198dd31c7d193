"""Try it: what a question would find with the entry as it stands in the form, saved or not."""

import asyncio
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.utils.translation import gettext

from corpus.domain.scope import Scope
from curation.domain.entry import Entry
from curation.entries import phrasings_of, references_of, scope_of
from curation.matching.entries import note_entry, pin_entry
from curation.matching.trial import with_entry, without_entry
from curation.models import Curated, PinnedQuestion
from curation.preview import MatchPreview, PreviewRefused, preview_match
from lectorium import asking

QUESTION_CHARS = 500
SHOWN = 20  # entries, the nearest first
WORDINGS_COMPARED = 4  # of the entry's own, with all other entries


@dataclass(frozen=True, slots=True)
class Collision:
    """Another entry that answers one of this entry's own wordings."""

    wording: str
    other: MatchPreview


@dataclass(frozen=True, slots=True)
class TrialResult:
    """What the editor sees. with_entry, without_entry: responses as `lectorium.asking.ask` returns them."""

    question: str = ""
    problem: str = ""
    matches: tuple[MatchPreview, ...] = ()
    collisions: tuple[Collision, ...] = ()
    with_entry: Any = None
    without_entry: Any = None

    @property
    def shown(self) -> tuple[MatchPreview, ...]:
        """The nearest entries, and this one wherever it stands."""
        return tuple(match for place, match in enumerate(self.matches) if place < SHOWN or match.is_tried)

    @property
    def hidden(self) -> int:
        return len(self.matches) - len(self.shown)

    @property
    def is_same(self) -> bool:
        return bool(self.with_entry) and _outcome(self.with_entry) == _outcome(self.without_entry)


def try_entry(model_admin: Any, request: HttpRequest, entry: Curated | None) -> HttpResponse:
    """The result as a part of the page for scripts, or as a page of its own."""
    if request.method != "POST":
        return HttpResponseNotAllowed(["POST"])
    question = " ".join(request.POST.get("try_question", "").split())[:QUESTION_CHARS]
    result = TrialResult(problem=gettext("Type a question to try."))
    if question:
        form = model_admin.get_form(request, entry, change=entry is not None)(request.POST, instance=entry)
        result = trial_of(question, edited_entry(form), scope_of(request.user))
    context = {
        "result": result,
        "opts": model_admin.opts,
        "title": gettext("Try “%(question)s”") % {"question": question},
    }
    if request.headers.get("X-Requested-With") == "fetch":
        return render(request, "admin/curation/entry/trial.html", context)
    return render(
        request, "admin/curation/entry/trial_page.html", {**model_admin.admin_site.each_context(request), **context}
    )


def edited_entry(form: Any) -> Entry:
    """The entry with what stands in the form, also where that could not be saved as it is."""
    form.is_valid()
    row = form.instance
    lists = {"references": references_of(row), "phrasings": phrasings_of(row)}
    for name in lists.keys() & form.fields.keys():
        lists[name] = form.cleaned_data.get(name) or [line for line in form[name].value() or () if line.strip()]
    if isinstance(row, PinnedQuestion):
        return pin_entry(row, phrasings=lists["phrasings"], references=lists["references"])
    return note_entry(row, references=lists["references"])


def trial_of(question: str, entry: Entry, scope: Scope) -> TrialResult:
    """Records nothing. The answers are those of a reader who may read what this editor may."""
    if not entry.phrasings:
        return TrialResult(question, problem="Write the question of the pin, or the title of the note, first.")
    try:
        matches = preview_match(question, language=entry.language, scope=scope, entry=entry)
        collisions = tuple(_collisions(entry, scope))
    except PreviewRefused as refusal:
        return TrialResult(question, problem=str(refusal))
    with with_entry(entry):
        answered = asyncio.run(asking.ask(question, locale=entry.language, collections=scope.collections))
    with without_entry(entry.id):
        before = asyncio.run(asking.ask(question, locale=entry.language, collections=scope.collections))
    return TrialResult(question, "", matches, collisions, answered, before)


def _collisions(entry: Entry, scope: Scope) -> Any:
    found = set()
    for wording in entry.phrasings[:WORDINGS_COMPARED]:
        for match in preview_match(wording, language=entry.language, scope=scope, entry=entry):
            if match.accepted and not match.is_tried and match.kind == entry.kind and match.entry not in found:
                found.add(match.entry)
                yield Collision(wording, match)


def _outcome(response: Any) -> tuple[Any, ...]:
    return response["outcome"], response["answer"], response.get("framing", "")
