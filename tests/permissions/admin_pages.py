"""The pages that admin has for every model, and its actions, tried as a role."""

from dataclasses import dataclass

from django.contrib import admin
from django.test import RequestFactory
from django.urls import reverse

from articles.models import Article
from audit.models import KnowledgeGap, TurnAudit
from chat.models import Conversation, Turn
from corpus.models import Lecture, Work
from curation.models import MemoryNote, PinnedQuestion
from tests.permissions.routes import outcome_of, undone
from tests.permissions.site import GARDEN, HIDDEN_QUESTION, READERS_QUESTION
from tests.permissions.tables import STAFF

PAGES = (  # (page, method, the letters of which one allows it)
    ("changelist", "get", "v"),
    ("add", "get", "a"),
    ("change", "get", "vc"),
    ("change", "post", "c"),
    ("history", "get", "v"),
    ("delete", "get", "d"),
)
CHOSEN = {  # of the models with rows that differ; of what may be published, a draft, which most may touch
    **{key: {"state": "draft"} for key in (Article, MemoryNote, PinnedQuestion)},
    Turn: {"question": HIDDEN_QUESTION, "conversation__owner__username": "reader"},
    TurnAudit: {"question": HIDDEN_QUESTION, "turn__conversation__owner__username": "reader"},
    Conversation: {"turns__question": HIDDEN_QUESTION, "owner__username": "reader"},
    KnowledgeGap: {"question__contains": READERS_QUESTION},
    Lecture: {"key": GARDEN},
    Work: {"key": "orchard"},
}
OK, REFUSED = {"200", "302"}, {"403", "302"}  # 302 also where a row that is hidden from a role leads to admin's index


@dataclass(frozen=True)
class AdminCell:
    """One page as one role. fault: what differs from the table, or ""."""

    area: str
    what: str
    body: str
    fault: str


def page_names():
    """The names of these pages of all models."""
    return {f"admin:{_name(model)}_{page}" for model in admin.site._registry for page, _, _ in PAGES}


def model_cells(person, allowed):
    """Try every page of every model."""
    for model in admin.site._registry:
        row = model._default_manager.filter(**CHOSEN.get(model, {})).order_by("pk").first()
        assert row, f"the site has no {model._meta.label_lower}"
        for page, method, needed in PAGES:
            args = [] if page in {"changelist", "add"} else [row.pk]
            path = reverse(f"admin:{_name(model)}_{page}", args=args)
            status, body, writes = _sent(person, method, path)
            may = bool(set(needed) & set(allowed[model._meta.label_lower]))
            fault = _fault(person, status, may, is_get=method == "get")
            if writes and not may:
                fault += f" and wrote: {writes[0][:80]}"
            what = f"{method} {path}"
            yield AdminCell(f"admin/{model._meta.app_label}", what, body, fault and f"{what}: {fault}")


def _fault(person, status, may, *, is_get):
    if person.role not in STAFF:
        return "" if status == "login" else f"{status}, not login"
    fits = OK if may else REFUSED
    if may and is_get:
        fits = {"200"}
    return "" if status in fits else f"{status}, not {' or '.join(sorted(fits))}"


def offered_actions(person, allowed):
    """The (model, action) on rows of the models that the person may list."""
    request = RequestFactory().get("/")
    request.user = person.user
    for model, model_admin in admin.site._registry.items():
        if "v" in allowed[model._meta.label_lower]:
            for action in model_admin.get_actions(request):
                yield model._meta.label_lower, action


def every_action():
    """All (model, action) that admin knows, whoever may take them."""
    for model, model_admin in admin.site._registry.items():
        names = [name for _, name, _ in model_admin._get_base_actions()] if model_admin.actions is not None else []
        yield from ((model._meta.label_lower, name) for name in names)


def forged_action(person, label, action):
    """Send an action that the page does not offer; the statements that changed rows."""
    (model,) = (model for model in admin.site._registry if model._meta.label_lower == label)
    rows = list(model._default_manager.order_by("pk").values_list("pk", flat=True)[:2])
    form = {"action": action, "_selected_action": rows, "post": "yes", "index": "0"}
    return _sent(person, "post", reverse(f"admin:{_name(model)}_changelist"), form)[2]


def _sent(person, method, path, form=None):
    person.client.cookies["sessionid"] = person.session.session_key
    response, body, writes = undone(lambda: getattr(person.client, method)(path, form or {}))
    return outcome_of(response), body.decode(errors="replace"), writes


def _name(model):
    return f"{model._meta.app_label}_{model._meta.model_name}"
