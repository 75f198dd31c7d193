"""Writes the ladder: rungs with their versions, prompts, and usage."""

from decimal import Decimal

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from lectorium.ladder.calls import Call
from lectorium.ladder.jobs import JOBS
from lectorium.ladder.models import JudgeBar, PromptText, Rung, RungVersion, Usage
from lectorium.ladder.prompts import version_of
from lectorium.providers.handwritten_bar import HandwrittenBar

_VERSIONED = (
    "job", "model", "percent", "enabled", "fallback", "temperature", "max_tokens", "prompt_version", "price_in",
    "price_out", "fallback_price_in", "fallback_price_out", "note",
)  # fmt: skip


@transaction.atomic
def rung_save(*, rung: Rung, by: str) -> Rung:
    """Save a rung with a new version, unless nothing changed."""
    values = {field: _plain(getattr(rung, field)) for field in _VERSIONED}
    latest = RungVersion.objects.filter(rung=rung.pk).first()
    if latest and {field: latest.values.get(field) for field in _VERSIONED} == values:
        return rung
    rung.version = latest.version + 1 if latest else 1
    rung.save()
    RungVersion.objects.create(rung=rung, version=rung.version, values=values, changed_by=by)
    return rung


def prompt_save(*, prompt: PromptText, by: str) -> PromptText:
    """Save a prompt as the newest of its name; an empty text restores the shipped one."""
    prompt.version = version_of(prompt.text) if prompt.text else ""
    prompt.author = by
    prompt.save(force_insert=True)
    return prompt


def ladder_seed() -> list[Rung]:
    """Give each job in LECTORIUM_LADDER its first row. Jobs that ever had one are left alone."""
    known = set(Rung.objects.values_list("job", flat=True))
    return [
        rung_save(
            rung=Rung(
                job=job,
                model=model,
                temperature=JOBS[job].temperature,
                max_tokens=JOBS[job].max_tokens,
                note="From LECTORIUM_LADDER.",
            ),
            by="environment",
        )
        for job, model in settings.LADDER.items()
        if job not in known
    ]


def usage_record(*, call: Call) -> None:
    row, _ = Usage.objects.get_or_create(day=timezone.now().date(), job=call.served.job, model=call.served.model)
    Usage.objects.filter(pk=row.pk).update(
        calls=F("calls") + 1,
        faults=F("faults") + int(call.is_fault),
        estimated=F("estimated") + int(call.estimated),
        tokens_in=F("tokens_in") + call.tokens_in,
        tokens_out=F("tokens_out") + call.tokens_out,
        cost=F("cost") + call.cost,
    )


def judge_bar_record(*, model: str, prompt: str, bar: HandwrittenBar) -> JudgeBar:
    """Store a chat model's result on the hand-written bar for this version of the prompt "verify"."""
    values = {"verified_false_share": bar.verified_false_share, "claim_set": bar.claim_set}
    row, _ = JudgeBar.objects.update_or_create(model=model, prompt_version=prompt, defaults=values)
    return row


def _plain(value: object) -> object:
    """A price as text without trailing zeros, so that it compares equal after a reload."""
    return f"{value.normalize():f}" if isinstance(value, Decimal) else value
