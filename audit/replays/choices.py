"""What a replay can change, who may ask for one, and how it is named."""

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _noop

from audit.inspection.turn_story import READ_TURN
from audit.models import Replay
from lectorium.ladder.jobs import BUILTIN
from lectorium.ladder.models import Rung
from lectorium.ladder.selectors import models_in_use
from lectorium.providers.registry import is_chat_name
from lectorium.texts.local_text import local_text

ASK = "audit.add_replay"
MODES = ("instant", "auto", "thinking")
JOBS = ("synthesize", "plan", "outline", "cove", "extract_claims")
LOCAL = (
    ("", _noop("As configured")),
    ("overlap", _noop("Word overlap")),
    ("shipped", _noop("The shipped cross-encoder")),
)


def rows_to_try() -> list[tuple[str, str]]:
    """(value, words) of every model that can do a job of a replay, disabled rows included."""
    rungs = Rung.objects.filter(job__in=JOBS).exclude(model=BUILTIN).order_by("job", "created_at")
    unused = _("not in use")
    found = [(str(rung.pk), f"{rung.job}: {rung.model}" + ("" if rung.enabled else f" ({unused})")) for rung in rungs]
    return [
        ("", _("As the ladder has it")),
        ("none:synthesize", _("synthesize: no model, quotations only")),
        *found,
    ]


def verifiers_to_try() -> list[tuple[str, str]]:
    """(value, words) of every verifier that can be tried."""
    return [
        *((name, _(said)) for name, said in LOCAL),
        *((name, _("Judge {name}").format(name=name)) for name in models_in_use() if is_chat_name(name)),
    ]


def may_replay(request: HttpRequest) -> bool:
    return request.user.has_perms([ASK, READ_TURN])


def replay_choices() -> dict[str, Any]:
    """The choices of the form on the turn's page."""
    return {"modes": MODES, "rows": rows_to_try(), "verifiers": verifiers_to_try()}


def changes_in_words(replay: Replay) -> str:
    """What a replay changed, e.g. "thinking mode, synthesize by vllm:x"."""
    model = _("without a model") if replay.model == BUILTIN else _("by {model}").format(model=replay.model)
    verifier = dict(verifiers_to_try()).get(replay.verifier, replay.verifier) if replay.verifier else ""
    job, checked = (
        f"{replay.job} {model}" if replay.job else "",
        _("checked by {verifier}").format(verifier=verifier) if verifier else "",
    )
    parts = [_("mode: {mode}").format(mode=local_text(replay.mode)), job, checked]
    return ", ".join(filter(None, parts))
