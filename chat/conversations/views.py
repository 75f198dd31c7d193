"""The chat page, and readers' feedback. Questions and answers travel over the socket."""

import uuid
from uuid import UUID

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.formats import number_format
from django.utils.translation import get_language, gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_POST, require_safe

from chat.answering.domain.viewer import Viewer
from chat.conversations import selectors
from chat.conversations.answer_translation import NotTranslated, translate_answer, translates_answers
from chat.conversations.clicks import CitationForm, click_accept
from chat.conversations.feedback import FeedbackForm, FeedbackRefused, TurnNotFound, feedback_accept
from chat.conversations.local_titles import with_translated_titles
from chat.conversations.local_words import with_local_messages
from chat.conversations.scopes import contents_line, scope_groups
from chat.conversations.viewers import viewer_of
from corpus.catalogue.languages import by_language, languages_of
from corpus.selectors import corpus_size
from lectorium.threads import in_thread


@require_safe
@never_cache
@ensure_csrf_cookie
def chat(request: HttpRequest, conversation_id: UUID | None = None) -> HttpResponse:
    """Show the question box, with `question` in it, and a conversation of the reader's, or none. 404 for another's."""
    if not request.user.is_authenticated and not settings.ANONYMOUS_CHAT:
        return redirect_to_login(request.get_full_path())
    viewer = _viewer(request)
    conversation = None
    if conversation_id:
        conversation = selectors.conversation(viewer, conversation_id)
        if conversation is None:
            raise Http404("No such conversation of this reader.")
    turns = selectors.stored_turns(conversation.pk, viewer) if conversation else []
    context = {
        "conversation": conversation,
        "conversations": selectors.conversations(viewer),
        "turns": with_local_messages(with_translated_titles(turns, languages_of(request))),
        "shared_at": selectors.shared_at(conversation) if conversation else None,
        "scopes": (scopes := scope_groups(viewer)),
        "contents": contents_line(scopes),
        "examples": selectors.example_questions(viewer),
        "corpus_line": _corpus_line(viewer),
        "question": request.GET.get("question", "")[: settings.QUESTION_MAX_CHARS],
        "scope": request.GET.get("scope", ""),
        "new_turn": uuid.uuid4(),
        "question_max": settings.QUESTION_MAX_CHARS,
        "translates": translates_answers(),
        "takes_notes": settings.REDACT != "all",  # without a session nothing is stored
    }
    return by_language(render(request, "chat/page.html", context))


@require_POST
@never_cache
def feedback(request: HttpRequest) -> HttpResponse:
    """Accept feedback on a reader's own turn: 204, or a sentence under "message" that says why not."""
    if not request.user.is_authenticated and not settings.ANONYMOUS_CHAT:
        return JsonResponse({"message": gettext("Sign in first.")}, status=403)
    form = FeedbackForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"message": next(iter(form.errors.values()))[0]}, status=400)
    try:
        feedback_accept(viewer=viewer_of(request.user, request.session.session_key), **form.cleaned_data)
    except TurnNotFound:
        return JsonResponse({"message": gettext("This answer is not there any more.")}, status=404)
    except FeedbackRefused as fault:
        return JsonResponse({"message": str(fault)}, status=fault.status)
    return HttpResponse(status=204)


@require_POST
@never_cache
async def answer_translation(request: HttpRequest) -> JsonResponse:
    """An answer of the reader's in the language of the page: "paragraphs", or a "message" that says why not."""
    user = await request.auser()
    if not user.is_authenticated and not settings.ANONYMOUS_CHAT:
        return JsonResponse({"message": gettext("Sign in first.")}, status=403)
    viewer = await in_thread(viewer_of, user, request.session.session_key)
    try:
        turn, language = UUID(request.POST.get("turn", "")), get_language() or settings.LANGUAGE_CODE
        paragraphs = await translate_answer(viewer=viewer, turn=turn, language=language)
    except (ValueError, TurnNotFound):
        return JsonResponse({"message": gettext("This answer is not there any more.")}, status=404)
    except NotTranslated:
        return JsonResponse({"message": gettext("There is no translation at the moment. Try again later.")}, status=503)
    return JsonResponse({"paragraphs": paragraphs})


@require_POST
@never_cache
def citation_opened(request: HttpRequest) -> HttpResponse:
    """Count an opened citation. Always 204: no page waits for it, and whoever guesses at turns learns nothing."""
    form = CitationForm(request.POST)
    if form.is_valid():
        click_accept(viewer=viewer_of(request.user, request.session.session_key), **form.cleaned_data)
    return HttpResponse(status=204)


def _viewer(request: HttpRequest) -> Viewer:
    """Who asks. An anonymous reader gets a session, which owns their conversations."""
    if not request.user.is_authenticated and not request.session.session_key:
        request.session.create()
    return viewer_of(request.user, request.session.session_key)


def _corpus_line(viewer: Viewer) -> str:
    """For example "1,204 lectures · 31,102 verses · indexed 12 minutes ago"; "" before anything is imported."""
    size = corpus_size(viewer.collections)
    kinds = (
        (size.lectures, ngettext("%(n)s lecture", "%(n)s lectures", size.lectures)),
        (size.verses, ngettext("%(n)s verse", "%(n)s verses", size.verses)),
        (size.library_passages, ngettext("%(n)s library passage", "%(n)s library passages", size.library_passages)),
    )
    parts = [name % {"n": number_format(number, force_grouping=True)} for number, name in kinds if number]
    if parts and size.indexed_at:
        parts.append(gettext("indexed %(when)s") % {"when": naturaltime(size.indexed_at)})
    return " · ".join(parts)
