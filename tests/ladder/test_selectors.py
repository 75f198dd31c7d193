from datetime import date
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from lectorium.ladder.jobs import JOBS, UNCHECKED
from lectorium.ladder.models import Budget, PromptText, Rung, Usage
from lectorium.ladder.prompts import shipped
from lectorium.ladder.selectors import (
    budget_check,
    chain,
    ladder_version,
    models_in_use,
    prompt,
    spent,
    unresolved,
)
from lectorium.ladder.services import prompt_save, rung_save
from lectorium.providers.errors import BudgetReached

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("job", JOBS)
def test_every_job_resolves_without_a_single_row(job):
    (only,) = chain(job, "turn")
    assert (only.job, only.is_builtin, only.row) == (job, True, "")
    assert JOBS[job].builtin


def test_a_job_that_does_not_exist_is_an_error():
    with pytest.raises(LookupError, match="no job 'dance'; there are route, plan"):
        chain("dance", "turn")


def test_a_row_serves_and_says_which_it_was(rung):
    row = rung("title", "vllm:small", temperature=0.3, max_tokens=9)
    first, builtin = chain("title", "turn")
    assert first.as_dict() == {
        "job": "title", "model": "vllm:small", "row": str(row.pk), "version": 1, "prompt": shipped("title").version,
        "percent": 100,
    }  # fmt: skip
    assert (first.temperature, first.max_tokens) == (0.3, 9)
    assert builtin.is_builtin


def test_an_edit_counts_at_once_and_has_a_version_of_its_own(rung):
    row = rung("title", "vllm:small")
    before = ladder_version()
    row.model = "hosted:large"
    rung_save(rung=row, by="boss")
    assert (chain("title", "turn")[0].model, chain("title", "turn")[0].version) == ("hosted:large", 2)
    assert ladder_version() != before
    row.enabled = False
    rung_save(rung=row, by="boss")
    assert chain("title", "turn")[0].is_builtin


def test_a_model_that_fails_is_followed_by_its_own_fallback_then_by_the_builtin(rung):
    row = rung("synthesize", "vllm:small", fallback="hosted:large", price_out=Decimal(5))
    assert [served.model for served in chain("synthesize", "t")] == ["vllm:small", "hosted:large", "builtin"]
    assert {served.row for served in chain("synthesize", "t")[:2]} == {str(row.pk)}


def test_a_fallback_costs_what_its_row_says_or_what_an_enabled_row_for_that_model_says(rung):
    row = rung("synthesize", "vllm:small", fallback="hosted:large", price_out=Decimal(5))
    assert chain("synthesize", "t")[1].price_out == 0
    rung("judge", "hosted:large", price_in=Decimal(2), price_out=Decimal(9))
    assert (chain("synthesize", "t")[1].price_in, chain("synthesize", "t")[1].price_out) == (2, 9)
    row.fallback_price_out = Decimal(7)
    rung_save(rung=row, by="boss")
    assert (chain("synthesize", "t")[1].price_in, chain("synthesize", "t")[1].price_out) == (2, 7)


def test_without_one_of_its_own_the_job_fallback_takes_over_with_the_same_prompt(rung):
    rung("synthesize", "vllm:small")
    spare = rung("fallback", "hosted:large", max_tokens=77)
    first, second, builtin = chain("synthesize", "t")
    assert (second.model, second.job, second.row, second.max_tokens) == (
        "hosted:large", "synthesize", str(spare.pk), 77,
    )  # fmt: skip
    assert second.prompt == first.prompt
    assert builtin.is_builtin


def test_a_row_may_say_that_nothing_but_the_builtin_follows(rung):
    rung("synthesize", "vllm:small", fallback="builtin")
    rung("fallback", "hosted:large")
    assert [served.model for served in chain("synthesize", "t")] == ["vllm:small", "builtin"]


def test_turns_are_shared_out_by_percentage_and_a_turn_stays_on_its_side(rung):
    rung("title", "vllm:small", percent=30)
    rung("title", "hosted:large", percent=20)
    served = [chain("title", f"turn {number}")[0].model for number in range(600)]
    assert served == [chain("title", f"turn {number}")[0].model for number in range(600)]
    shares = {model: served.count(model) / len(served) for model in set(served)}
    assert shares["vllm:small"] == pytest.approx(0.30, abs=0.07)
    assert shares["hosted:large"] == pytest.approx(0.20, abs=0.07)
    assert shares["builtin"] == pytest.approx(0.50, abs=0.07)
    firsts = [chain("title", f"turn {number}")[0] for number in range(60)]
    assert {(rung.model, rung.percent) for rung in firsts} == {
        ("vllm:small", 30),
        ("hosted:large", 20),
        ("builtin", 50),
    }


def test_the_newest_prompt_counts_an_older_one_can_be_pinned_and_the_shipped_one_comes_back(rung):
    before = ladder_version()
    first = prompt_save(prompt=PromptText(name="title", text="# user\nOne: {{question}}"), by="boss")
    second = prompt_save(prompt=PromptText(name="title", text="# user\nTwo: {{question}}"), by="boss")
    assert prompt("title").text == second.text
    assert prompt("title", first.version).text == first.text
    assert prompt("title", shipped("title").version) == shipped("title")
    assert ladder_version() != before
    rung("title", "vllm:small", prompt_version=first.version)
    assert chain("title", "t")[0].prompt == first.version
    prompt_save(prompt=PromptText(name="title", text=""), by="boss")
    assert prompt("title") == shipped("title")
    with pytest.raises(LookupError, match="no version nonesuch"):
        prompt("title", "nonesuch")


def used(job, tokens, cost=0, day=None):
    day = day or timezone.now().date()
    Usage.objects.create(day=day, job=job, model=f"m{Usage.objects.count()}", tokens_in=tokens, cost=cost)


def test_what_was_used_is_summed_by_day_and_job():
    used("title", 10, 1)
    used("title", 5)
    used("judge", 100, 2)
    used("title", 1000, 9, day=date(2020, 1, 1))
    today = timezone.now().date()
    assert (spent(today, "title").tokens, spent(today).tokens, spent(today).cost) == (15, 115, 3)
    assert spent(date(2021, 1, 1)).tokens == 0


def test_a_used_up_budget_stops_its_job_with_a_sentence_and_leaves_the_others():
    Budget.objects.create(job="title", tokens_a_day=10)
    used("title", 9)
    budget_check("title")
    used("title", 1)
    with pytest.raises(BudgetReached, match=r"Today's budget for title is used up: 10 of 10 tokens\. It resets"):
        budget_check("title")
    budget_check("judge")


def test_a_budget_without_a_job_is_for_all_together():
    Budget.objects.create(cost_a_day=Decimal("2.50"))
    used("title", 1, Decimal("1.50"))
    budget_check("judge")
    used("judge", 1, Decimal("1.00"))
    with pytest.raises(BudgetReached, match="for all jobs is used"):
        budget_check("synthesize")


def test_yesterday_is_forgotten():
    Budget.objects.create(tokens_a_day=10)
    used("title", 99, day=date(2020, 1, 1))
    budget_check("title")


def test_a_sound_ladder_has_nothing_to_complain_of(rung):
    rung("synthesize", "vllm:small")
    rung("verify", "hosted:large")
    assert list(unresolved()) == []


def test_rows_that_cannot_serve_are_named_with_the_reason(rung, settings):
    rung("synthesize", "vllm:small")
    rung("verify", "vllm:small")
    assert list(unresolved()) == ["verify → vllm:small: the verifier must not be the model that wrote the answer"]
    settings.CHAT_ENDPOINTS = {}
    assert any("'vllm:small' must be PROVIDER:MODEL" in says for says in unresolved())
    Rung.objects.all().update(model="builtin", prompt_version="gone")
    assert any("has no version gone" in says for says in unresolved())


@pytest.mark.parametrize("job", UNCHECKED)
def test_a_model_that_lies_is_refused_where_nothing_checks_what_it_writes(rung, job):
    with pytest.raises(ValidationError, match="reaches readers unchecked"):
        rung(job, "hostile:1")
    with pytest.raises(ValidationError, match="reaches readers unchecked"):
        rung(job, "vllm:small", fallback="hostile:1")


def test_a_model_that_lies_is_named_where_it_serves_readers(rung):
    rung("synthesize", "hostile:1")
    assert list(unresolved()) == [
        "synthesize → hostile:1: it writes known falsehoods and serves readers; switch it off after the trial"
    ]


def test_a_prompt_written_for_the_slots_of_an_older_release_is_passed_over_and_named():
    PromptText.objects.create(name="title", text="# user\n{{query}}", version="old", author="boss")
    assert prompt("title") == prompt("title", "old") == shipped("title")
    assert any("slots are not those of this release" in says for says in unresolved())


def test_the_models_in_use_are_those_of_enabled_rows_and_their_fallbacks(rung):
    rung("title", "vllm:small", fallback="hosted:large", percent=50)
    rung("title", "builtin", percent=50)
    rung("judge", "vllm:off", enabled=False)
    assert models_in_use() == ["hosted:large", "vllm:small"]


def test_a_chat_model_does_not_take_over_from_a_speech_model(rung):
    rung("transcribe", "hosted:whisper-1")
    rung("fallback", "vllm:small")
    assert [served.model for served in chain("transcribe", "turn")] == ["hosted:whisper-1", "builtin"]


def test_a_speech_models_own_fallback_takes_over(rung):
    rung("transcribe", "hosted:whisper-1", fallback="vllm:whisper")
    assert [served.model for served in chain("transcribe", "turn")] == ["hosted:whisper-1", "vllm:whisper", "builtin"]


@pytest.mark.parametrize("model", ["hostile:7", f"scripted:{__file__}", f"local:{__file__}"])
def test_only_a_service_transcribes(rung, model):
    with pytest.raises(ValidationError, match="cannot hear: transcribe needs a service of LECTORIUM_CHAT_ENDPOINTS"):
        rung("transcribe", model)
