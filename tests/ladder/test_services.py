from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command

from lectorium.ladder.calls import Call
from lectorium.ladder.models import PromptText, Rung, Usage
from lectorium.ladder.selectors import ResolvedModel
from lectorium.ladder.services import ladder_seed, rung_save, usage_record

pytestmark = pytest.mark.django_db


def test_every_change_of_a_rung_is_kept_with_who_made_it(rung):
    row = rung("title", "vllm:small")
    row.model, row.price_in = "hosted:large", Decimal("0.50")
    rung_save(rung=row, by="boss")
    rung_save(rung=Rung.objects.get(), by="someone who changed nothing")
    history = [(version.version, version.values["model"], version.changed_by) for version in row.versions.all()]
    assert history == [(2, "hosted:large", "boss"), (1, "vllm:small", "tests")]


def test_the_environment_gives_the_first_rows_and_then_keeps_its_hands_off(services, settings):
    settings.LADDER = {"title": "vllm:small", "outline": "hosted:large"}
    assert {str(row) for row in ladder_seed()} == {"title → vllm:small", "outline → hosted:large"}
    row = Rung.objects.get(job="title")
    row.enabled = False
    rung_save(rung=row, by="boss")
    settings.LADDER = {"title": "hosted:large", "suggest": "vllm:small"}
    assert [str(row) for row in ladder_seed()] == ["suggest → vllm:small"]


def test_a_migration_brings_the_first_rows(services, settings):
    settings.LADDER = {"title": "vllm:small"}
    call_command("migrate", verbosity=0, interactive=False)
    row = Rung.objects.get()
    assert (str(row), row.versions.get().changed_by) == ("title → vllm:small", "environment")


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"job": "dance"}, "not a valid choice"),
        ({"model": "elsewhere:small"}, "must be PROVIDER:MODEL with one of vllm, hosted, local"),
        ({"fallback": "vllm"}, "must be PROVIDER:MODEL"),
        ({"prompt_version": "nonesuch"}, "has no version nonesuch"),
        ({"percent": 0}, "greater than or equal to 1"),
        ({"percent": 101}, "less than or equal to 100"),
        ({"temperature": 3}, "less than or equal to 2"),
        ({"max_tokens": 0}, "greater than or equal to 1"),
        ({"percent": 61}, "would add up to 101 %"),
    ],
)
def test_a_row_that_could_not_serve_is_refused_with_the_reason(rung, fields, says):
    rung("title", "vllm:small", percent=40)
    with pytest.raises(ValidationError, match=says):
        Rung(**{"job": "title", "model": "vllm:small", "percent": 60} | fields).full_clean()


@pytest.mark.parametrize(
    ("text", "says"), [("Name it.", "must begin with a line"), ("# user\nName it.", "missing question")]
)
def test_a_prompt_that_could_not_be_filled_is_refused(text, says):
    with pytest.raises(ValidationError, match=says):
        PromptText(name="title", text=text).full_clean()


def test_calls_add_up_to_tokens_faults_and_cost():
    served = ResolvedModel("title", "vllm:small", price_in=Decimal("2.0"), price_out=Decimal("10.0"))
    usage_record(call=Call(served, "written", 0.0, 1.0, 1_000_000, 500_000))
    usage_record(call=Call(served, "cut_off", 0.0, 1.0, 1, 0, estimated=True))
    row = Usage.objects.get()
    assert (row.calls, row.faults, row.estimated, row.tokens_in, row.tokens_out) == (2, 1, 1, 1_000_001, 500_000)
    assert row.cost == Decimal("7.000002")
