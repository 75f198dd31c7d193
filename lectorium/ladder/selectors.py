"""Resolves rungs. A turn reads the few enabled rows once; other calls read them afresh, so edits apply at once."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from types import MappingProxyType

from django.db.models import Q, Sum
from django.utils import timezone

from lectorium.ladder.jobs import BUILTIN, JOBS, TRANSCRIBE
from lectorium.ladder.models import Budget, JudgeBar, PromptText, Rung, Usage
from lectorium.ladder.prompts import Prompt, fits, shipped, shipped_names
from lectorium.ladder.read_once import read_once
from lectorium.providers.endpoint import LIAR
from lectorium.providers.errors import BudgetReached

HASH_DIGITS = 12


@dataclass(frozen=True, slots=True)
class ResolvedModel:
    """The model of a job for one turn. `row` and `version` identify the rung; both are empty for the builtin.

    max_tokens: to write. price_in, price_out: per million tokens. prompt: version used, if any. percent: share of turns
    resolved this way.
    """

    job: str
    model: str = BUILTIN
    row: str = ""
    version: int = 0
    prompt: str = ""
    temperature: float = 0.0
    max_tokens: int = 0
    price_in: Decimal = Decimal(0)
    price_out: Decimal = Decimal(0)
    percent: int = 100

    @property
    def is_builtin(self) -> bool:
        return self.model == BUILTIN

    def as_dict(self) -> dict[str, str | int]:
        return {
            "job": self.job, "model": self.model, "row": self.row, "version": self.version, "prompt": self.prompt,
            "percent": self.percent,
        }  # fmt: skip


_tried: ContextVar[Mapping[str, Rung | None]] = ContextVar("tried", default=MappingProxyType({}))


def try_row(job: str, rung: Rung | None) -> None:
    """Let a row do a job in this task and those it starts, whether enabled or not; None for the builtin."""
    _tried.set({**_tried.get(), job: rung})


def chain(job: str, key: str) -> tuple[ResolvedModel, ...]:
    """The models for a job, first choice first; the last is always the builtin, which cannot fail.

    key: the turn's id, or another text that always falls on the same side of an A/B split.
    Raises LookupError for an unknown job or prompt version.
    """
    if job not in JOBS:
        raise LookupError(f"there is no job {job!r}; there are {', '.join(JOBS)}")
    builtin = ResolvedModel(job)
    if job in (tried := _tried.get()):
        row = tried[job]
        return (_served(row), builtin) if row else (builtin,)
    rung, percent = _chosen(job, key)
    if rung is None:
        return (replace(builtin, percent=percent),)
    if rung.model == BUILTIN:
        return (replace(builtin, row=str(rung.pk), version=rung.version, percent=percent),)
    first = _served(rung)
    if rung.fallback == BUILTIN:
        return first, builtin
    if rung.fallback:
        price_in, price_out = _fallback_prices(rung)
        return first, replace(first, model=rung.fallback, price_in=price_in, price_out=price_out), builtin
    second = None if job == TRANSCRIBE else _chosen("fallback", key)[0]  # a chat model cannot hear
    if second is None or second.model in (BUILTIN, first.model):
        return first, builtin
    taking_over = replace(_served(second), job=job, prompt=first.prompt)
    return first, taking_over, builtin


def serving(job: str, model: str) -> ResolvedModel:
    """How a model does a job: by its enabled row, otherwise with the defaults of a new one."""
    if rung := next((rung for rung in _enabled_rungs() if (rung.job, rung.model) == (job, model)), None):
        return _served(rung)
    usual = JOBS[job]
    version = prompt(job).version
    return ResolvedModel(job, model, prompt=version, temperature=usual.temperature, max_tokens=usual.max_tokens)


def has_passed_bar(model: str, prompt_version: str) -> bool:
    """Whether the model passed the hand-written bar with this version of the prompt "verify"."""
    measured = JudgeBar.objects.filter(model=model, prompt_version=prompt_version).first()
    return measured is not None and measured.bar.passed


def prompt(name: str, version: str = "") -> Prompt:
    """The newest prompt of this name, or the given version. Raises LookupError.

    An edited text whose slots are outdated since an upgrade is replaced by the shipped one.
    """
    written = PromptText.objects.filter(name=name)
    if not version:
        newest = written.first()
        return Prompt(name, newest.text) if newest and newest.text and fits(name, newest.text) else shipped(name)
    own = written.filter(version=version).exclude(text="").first()
    if own:
        return Prompt(name, own.text) if fits(name, own.text) else shipped(name)
    if shipped(name).version == version:
        return shipped(name)
    raise LookupError(f"prompt {name} has no version {version}; leave it empty for the newest")


def ladder_version() -> str:
    """A hash of everything here that can change an answer: enabled rows and the newest prompts."""
    rungs = sorted((rung.pk, rung.version) for rung in _enabled_rungs())
    written = PromptText.objects.order_by("name", "-created_at").distinct("name").values_list("name", "version")
    newest = dict(written)
    prompts = [newest.get(name) or shipped(name).version for name in shipped_names()]
    parts = [f"{pk}:{version}" for pk, version in rungs] + prompts
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:HASH_DIGITS]


@dataclass(frozen=True, slots=True)
class DailyUsage:
    tokens: int
    cost: Decimal


def spent(day: date, job: str = "") -> DailyUsage:
    """The usage of a day, of one job or of all."""
    used = Usage.objects.filter(day=day, **({"job": job} if job else {}))
    sums = used.aggregate(read=Sum("tokens_in"), written=Sum("tokens_out"), cost=Sum("cost"))
    return DailyUsage((sums["read"] or 0) + (sums["written"] or 0), sums["cost"] or Decimal(0))


@dataclass(frozen=True, slots=True)
class BudgetLevel:
    """Today's usage against one cap of a budget; `unit` is "tokens" or "in cost"."""

    name: str
    used: int | Decimal
    cap: int | Decimal
    unit: str

    @property
    def is_reached(self) -> bool:
        return self.used >= self.cap

    @property
    def says(self) -> str:
        return f"{self.used:,} of {self.cap:,} {self.unit}"


def levels(budgets: Iterable[Budget]) -> Iterator[BudgetLevel]:
    for budget in budgets:
        used = spent(timezone.now().date(), budget.job)
        if budget.tokens_a_day is not None:
            yield BudgetLevel(str(budget), used.tokens, budget.tokens_a_day, "tokens")
        if budget.cost_a_day is not None:
            yield BudgetLevel(str(budget), used.cost, budget.cost_a_day, "in cost")


def budget_check(job: str) -> None:
    """Raise BudgetReached, naming the budget and its reset, if today's is used up.

    Running calls still finish, so a day may exceed its budget by those.
    """
    for level in levels(Budget.objects.filter(Q(job=job) | Q(job=""))):
        if level.is_reached:
            raise BudgetReached(
                f"Today's budget for {level.name} is used up: {level.says}. It resets at 00:00 UTC; "
                "an operator can raise it under Budgets in admin."
            )


def unresolved() -> Iterator[str]:
    """A sentence for every fault that keeps a job from following its rows."""
    from django.core.exceptions import ValidationError

    for rung in Rung.objects.filter(enabled=True):
        try:
            rung.full_clean(exclude=["versions"])
        except ValidationError as error:
            yield f"{rung}: {' '.join(error.messages)}"
    for name in shipped_names():
        newest = PromptText.objects.filter(name=name).first()
        if newest and newest.text and not fits(name, newest.text):
            yield f"prompt {newest}: its slots are not those of this release, so the shipped one is used; edit it again"
    for rung in Rung.objects.filter(enabled=True):
        if LIAR in (rung.model.partition(":")[0], rung.fallback.partition(":")[0]):
            yield f"{rung}: it writes known falsehoods and serves readers; switch it off after the trial"
    writers = set(Rung.objects.filter(enabled=True, job="synthesize").values_list("model", flat=True)) - {BUILTIN}
    for rung in Rung.objects.filter(enabled=True, job="verify", model__in=writers):
        yield f"{rung}: the verifier must not be the model that wrote the answer"


def has_model(job: str) -> bool:
    """Whether an enabled row gives this job a model."""
    return any(rung.job == job and rung.model != BUILTIN for rung in _enabled_rungs())


def models_in_use() -> list[str]:
    """Distinct models of enabled rows and their fallbacks, without the builtin."""
    pairs = Rung.objects.filter(enabled=True).values_list("model", "fallback")
    return sorted({name for pair in pairs for name in pair} - {BUILTIN, ""})


def _chosen(job: str, key: str) -> tuple[Rung | None, int]:
    """The enabled row whose share contains the key, or None, and the size of that share."""
    place = int(hashlib.sha256(f"{job}:{key}".encode()).hexdigest(), 16) % 100
    left = 100
    for rung in (rung for rung in _enabled_rungs() if rung.job == job):
        if place < rung.percent:
            return rung, rung.percent
        place, left = place - rung.percent, left - rung.percent
    return None, left


@read_once
def _enabled_rungs() -> tuple[Rung, ...]:
    return tuple(Rung.objects.filter(enabled=True).order_by("created_at", "pk"))


def _fallback_prices(rung: Rung) -> tuple[Decimal, Decimal]:
    """(price in, price out) of the fallback: its own, otherwise those of an enabled row for that model."""
    row = Rung.objects.filter(model=rung.fallback, enabled=True).order_by("-updated_at").first()
    known = (row.price_in, row.price_out) if row else (Decimal(0), Decimal(0))
    own = (rung.fallback_price_in, rung.fallback_price_out)
    read, written = (price if price is not None else other for price, other in zip(own, known, strict=True))
    return read, written


def _served(rung: Rung) -> ResolvedModel:
    version = prompt(rung.job, rung.prompt_version).version if rung.job in shipped_names() else ""
    return ResolvedModel(
        rung.job, rung.model, str(rung.pk), rung.version, version, rung.temperature, rung.max_tokens,
        rung.price_in, rung.price_out, rung.percent,
    )  # fmt: skip
