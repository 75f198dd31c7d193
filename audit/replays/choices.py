"""What a replay can change, who may ask for one, and how it is named."""

from typing import Any

from django.http import HttpRequest

from audit.inspection.turn_story import READ_TURN
from audit.models import Replay
from lectorium.ladder.jobs import BUILTIN
from lectorium.ladder.models import Rung
from lectorium.ladder.selectors import models_in_use
from lectorium.providers.registry import is_chat_name

ASK = "audit.add_replay"
MODES = ("instant", "auto", "thinking")
JOBS = ("synthesize", "plan", "outline", "cove", "extract_claims")
LOCAL = (("", "As configured"), ("overlap", "Word overlap"), ("shipped", "The shipped cross-encoder"))


def rows_to_try() -> list[tuple[str, str]]:
    """(value, words) of every model that can do a job of a replay, disabled rows included."""
    rungs = Rung.objects.filter(job__in=JOBS).exclude(model=BUILTIN).order_by("job", "created_at")
    found = [(str(rung.pk), f"{rung.job}: {rung.model}{'' if rung.enabled else ' (not in use)'}") for rung in rungs]
    return [("", "As the ladder has it"), ("none:synthesize", "synthesize: no model, quotations only"), *found]


def verifiers_to_try() -> list[tuple[str, str]]:
    """(value, words) of every verifier that can be tried."""
    return [*LOCAL, *((name, f"Judge {name}") for name in models_in_use() if is_chat_name(name))]


def may_replay(request: HttpRequest) -> bool:
    return request.user.has_perms([ASK, READ_TURN])


def replay_choices() -> dict[str, Any]:
    """The choices of the form on the turn's page."""
    return {"modes": MODES, "rows": rows_to_try(), "verifiers": verifiers_to_try()}


def changes_in_words(replay: Replay) -> str:
    """What a replay changed, e.g. "thinking mode, synthesize by vllm:x"."""
    model = "without a model" if replay.model == BUILTIN else f"by {replay.model}"
    verifier = dict(verifiers_to_try()).get(replay.verifier, replay.verifier) if replay.verifier else ""
    job, checked = f"{replay.job} {model}" if replay.job else "", f"checked by {verifier}" if verifier else ""
    parts = [f"{replay.mode} mode", job, checked]
    return ", ".join(filter(None, parts))
