"""Every address of the site as Django's resolver has it, and the requests that try it."""

from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.urls import URLResolver, get_resolver

from accounts.links import invitation_token, sign_up_token
from accounts.models import Invitation
from articles.models import Article
from audit import models as audit
from chat.api.models import Token
from chat.models import Conversation, Turn
from corpus.models import Import, Lecture, Work
from curation.models import MemoryNote, PinnedQuestion
from tests.permissions import site

REDIRECT = "<redirect>"  # what admin calls the addresses that only lead on to a row's page
# They read on other connections.
_COROUTINES = ("api_ask", "api_search", "ask", "embed", "openai_completions", "plain", "search", "stream")


def all_routes():
    """The names of all addresses, with their namespace."""
    return list(_names(get_resolver().url_patterns, ()))


def _names(patterns, within):
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _names(pattern.url_patterns, (*within, *filter(None, [pattern.namespace])))
        else:
            yield ":".join((*within, pattern.name or REDIRECT))


def objects_of(people):
    """{parameter of an address: {whose or which object: its value}}."""
    answered = Turn.objects.get(question=site.HIDDEN_QUESTION)
    refused = Turn.objects.get(question__contains=site.VISITORS_QUESTION)
    record = audit.TurnAudit.objects.get(turn_id=answered.pk)
    lectures = {lecture.key: lecture.pk for lecture in Lecture.objects.all()}
    works = {work.key: work.pk for work in Work.objects.all()}
    pins = {pin.state: pin for pin in PinnedQuestion.objects.filter(collection=None)}
    note = MemoryNote.objects.get(state="draft")
    versions = {"draft pin": pins["draft"].history.first(), "draft note": note.history.first()}
    groups_pin = PinnedQuestion.objects.get(question=site.PINNED_QUESTION)
    return {
        "conversation_id": {
            "reader's": answered.conversation_id,
            "visitor's": refused.conversation_id,
            "deleted": Conversation.objects.get(deleted_at__isnull=False).pk,
        },
        "lecture_id": {
            "open": lectures["first-steps"],
            "members'": lectures["hall"],
            "group's": lectures[site.GARDEN],
            "withdrawn": lectures["lamp"],
        },
        "work_id": {"open": works["gita"], "group's": works["orchard"]},
        "article_id": {
            "group's": Article.objects.get(state="published").pk,
            "draft": Article.objects.get(state="draft").pk,
        },
        "turn_id": {"reader's": answered.pk, "visitor's": refused.pk},
        "audit_id": {"any": record.pk},
        "item_id": {"any": audit.ReviewItem.objects.get().pk},
        "run_id": {"judge": audit.JudgeRun.objects.get().pk, "evaluation": audit.EvaluationRun.objects.get().pk},
        "alert_id": {"any": audit.GuardAlert.objects.get().pk},
        "mute_id": {"any": audit.AlertMute.objects.get().pk},
        "replay_id": {"any": audit.Replay.objects.get().pk},
        **{key: {"any": audit.GapCluster.objects.first().pk} for key in ("gap_id", "cluster_id")},
        "import_id": {"any": Import.objects.get().pk},
        "token": _tokens(people),
        "object_id": {
            "draft pin": pins["draft"].pk,
            "published pin": pins["published"].pk,
            "group's pin": groups_pin.pk,
            "draft note": note.pk,
            "published note": MemoryNote.objects.get(title="Banyans").pk,
            "group's note": MemoryNote.objects.get(title__contains=site.GROUPS_NOTE).pk,
            "editor's token": Token.objects.get(owner=people["editor"].user, access="read").pk,
        },
        "pk": {"group's": Article.objects.get(state="published").pk, "draft": Article.objects.get(state="draft").pk},
        "version_id": {thing: version.history_id for thing, version in versions.items()},
    }


def _tokens(people):
    return {
        "reader's": site.shared_token(people["reader"]),
        "a new address": sign_up_token(site.NEW_ADDRESS),
        "an invitation": invitation_token(Invitation.objects.get().pk),
    }


def is_coroutine(name):
    return name in _COROUTINES


def outcome_of(response):
    """The status as the tables write it: "login" for a redirect to the page for signing in."""
    if response.status_code == 302:
        return "login" if "/login/" in response.headers["Location"] else "302"
    return str(response.status_code)


class Writes:
    """Notes the statements that changed rows, but for sessions, which every page may keep."""

    def __init__(self):
        self.statements = []

    def __call__(self, execute, sql, params, many, context):
        result = execute(sql, params, many, context)
        is_write = sql.startswith(("INSERT", "UPDATE", "DELETE")) and context["cursor"].rowcount
        if is_write and not any(name in sql for name in _UNCOUNTED):
            self.statements.append(sql)
        return result


_UNCOUNTED = (Session._meta.db_table, '"last_used_at"')


def undone(call):
    """What a call returns, its body, and the statements that changed rows, which are put back."""
    writes = Writes()
    with transaction.atomic(), connection.execute_wrapper(writes):
        response = call()
        body = b"".join(response) if response.streaming else response.content
        transaction.set_rollback(True)
    return response, body, writes.statements
