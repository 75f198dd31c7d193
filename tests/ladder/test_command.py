import json
import re
from decimal import Decimal

import pytest
from django.core.management import call_command
from django.utils import timezone

from lectorium.ladder.jobs import JOBS, NOT_USED
from lectorium.ladder.models import Budget, Usage
from operations import diagnosis

pytestmark = pytest.mark.django_db


def test_every_job_is_printed_with_who_does_it(rung, capsys):
    row = rung("title", "vllm:small", percent=30)
    call_command("ladder")
    lines = capsys.readouterr().out.splitlines()
    assert {line.split()[0] for line in lines} == set(JOBS)
    ours, builtin = [line for line in lines if line.startswith("title ")]
    assert "30 %" in ours
    assert f"v1 {row.pk}" in ours
    assert "70 %" in builtin
    assert JOBS["title"].builtin in builtin


def test_the_same_as_json_with_what_is_wrong(rung, capsys, settings):
    row = rung("title", "vllm:small")
    settings.CHAT_ENDPOINTS = {}
    call_command("ladder", "--json")
    printed = json.loads(capsys.readouterr().out)
    assert [job for job in printed["jobs"] if job["job"] == "title"] == [
        {
            "job": "title", "model": "vllm:small", "percent": 100, "row": str(row.pk), "version": 1, "fallback": "",
            "prompt_version": "", "tokens_today": 0, "cost_today": "0",
        }
    ]  # fmt: skip
    assert len(printed["unresolved"]) == 1


def test_budgets_are_shown_with_what_today_used_and_one_that_is_used_up_needs_attention(capsys):
    Budget.objects.create(cost_a_day=Decimal("2.5"))
    row = Usage.objects.create(day=timezone.now().date(), job="title", model="m", tokens_in=10, cost=Decimal("1.5"))

    def finding():
        return next(finding for finding in diagnosis.diagnose() if finding.name == "budgets")

    assert finding().ok
    assert "all jobs 1.500000 of 2.5000 in cost" in finding().says
    call_command("ladder")
    printed = capsys.readouterr().out
    assert "budget for all jobs: 1.500000 of 2.5000 in cost today\n" in printed
    assert re.search(r"^title .* 10 tokens +1\.5 in cost", printed, re.M)
    row.cost = Decimal("2.5")
    row.save()
    assert not finding().ok
    assert "(used up)" in finding().says


def test_the_doctor_counts_the_jobs_with_a_model_and_names_those_that_cannot_be_done(rung, settings):
    def finding(name="ladder"):
        return next(finding for finding in diagnosis.diagnose() if finding.name == name)

    assert finding().ok
    assert "every job by its builtin" in finding().says
    assert finding("services").says == "none in use"
    rung("title", "vllm:small")
    assert (finding().ok, "title" in finding().says) == (True, True)
    settings.CHAT_ENDPOINTS = {}
    assert not finding().ok
    assert "title → vllm:small" in finding().says


def test_jobs_that_nothing_asks_for_say_so(rung, capsys):
    rung("ground", "vllm:small")
    says = next(finding for finding in diagnosis.diagnose() if finding.name == "ladder").says
    assert "ground: not used yet" in says
    call_command("ladder")
    lines = capsys.readouterr().out.splitlines()
    idle = {line.split()[0] for line in lines if NOT_USED in line}
    assert idle == {name for name, job in JOBS.items() if not job.used}


@pytest.mark.network
def test_the_doctor_says_which_service_cannot_be_reached(rung):
    rung("title", "vllm:small")
    found = next(finding for finding in diagnosis.diagnose() if finding.name == "services")
    assert not found.ok
    assert "vllm:small" in found.says
    assert "Connect" in found.says
