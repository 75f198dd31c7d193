"""Asks a recorded question again, and keeps what came of it beside the turn."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _noop
from django_q.tasks import async_task

from audit.domain.redaction import REDACTED, Redaction, redacted_trace
from audit.models import Replay, TurnAudit
from audit.replays.choices import MODES, rows_to_try, verifiers_to_try
from lectorium import asking
from lectorium.asking import NotReplayable, ReplayOptions
from lectorium.ladder.jobs import BUILTIN
from lectorium.ladder.models import Rung
from lectorium.providers.errors import ModelMissing

log = logging.getLogger(__name__)


class BadReplay(ValueError):
    """The replay cannot be asked for; the message says why."""


@dataclass(frozen=True, slots=True)
class ReplayRequest:
    """What to change. row: a row of the ladder as id, "none:JOB" for the job without a model, or "" for no change."""

    mode: str
    row: str = ""
    verifier: str = ""


def replay_queue(*, audit: TurnAudit, asked: ReplayRequest, user_id: int, collections: Sequence[UUID]) -> Replay:
    """Store a replay and queue it. collections: the most it may search. Raises BadReplay."""
    if Redaction(settings.REDACT) is Redaction.ALL or audit.question in ("", REDACTED):
        raise BadReplay(_("LECTORIUM_REDACT keeps no question, so there is nothing to ask again."))
    if asked.mode not in MODES:
        raise BadReplay(_("The mode must be instant, auto or thinking."))
    if asked.row not in dict(rows_to_try()):
        raise BadReplay(_("There is no such row of the ladder any more."))
    if asked.verifier not in dict(verifiers_to_try()):
        raise BadReplay(_("There is no such verifier any more."))
    rung = Rung.objects.filter(pk=asked.row).first() if asked.row and not asked.row.startswith("none:") else None
    replay = Replay.objects.create(
        conversation_id=audit.conversation_id,
        audit=audit,
        mode=asked.mode,
        job=rung.job if rung else asked.row.partition(":")[2],
        model=rung.model if rung else (BUILTIN if asked.row else ""),
        row=rung.pk if rung else None,
        verifier=asked.verifier,
        asked_by_id=user_id,
    )
    wide = [str(key) for key in collections]
    transaction.on_commit(lambda: async_task("audit.tasks.replay_turn", str(replay.pk), wide))
    return replay


def replay_run(*, replay_id: UUID, collections: Sequence[UUID]) -> str:
    """Run a queued replay and store its end; a line for the job's record. Safe to run twice."""
    replay = Replay.objects.filter(pk=replay_id, state=Replay.State.RUNNING).select_related("audit").first()
    if replay is None:
        return "nothing to replay"
    options = ReplayOptions(replay.mode, replay.job, str(replay.row or ""), replay.verifier, tuple(collections))
    try:
        found = asyncio.run(asking.replay(replay.audit.turn_id, options))
    except (NotReplayable, ModelMissing, LookupError) as error:
        return _end(replay, fault=str(error)[:300])
    except Exception:
        log.exception("replay %s failed", replay.pk)
        return _end(replay, fault=_noop("The replay broke; the log of the worker says how."))
    how = Redaction(settings.REDACT)
    return _end(replay, response=redacted_trace(found["response"], how), trace=redacted_trace(found["trace"], how))


def _end(replay: Replay, *, fault: str = "", **values: Any) -> str:
    state = Replay.State.FAILED if fault else Replay.State.DONE
    Replay.objects.filter(pk=replay.pk).update(state=state, fault=fault, finished_at=timezone.now(), **values)
    return fault or "replayed"
