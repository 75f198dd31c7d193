"""The comparison whose better side is known: does the command find it, and store what it found?"""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from audit.models import JudgeRun
from tests.curation.people import someone
from tests.evaluation.escape.test_run import tiny

__all__ = ["tiny"]
pytestmark = pytest.mark.django_db(transaction=True)


def judge(*arguments):
    out = StringIO()
    call_command("judge", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_the_checked_side_is_more_faithful_and_the_run_is_stored_for_its_page(tiny, client):
    said = judge("--hostile", "--verifier", "overlap", "--limit", "8")
    run = JudgeRun.objects.get()
    assert run.criteria["faithfulness"]["a"] > run.criteria["faithfulness"]["b"]
    assert "kept the place when swapped 0/" in said
    assert set(run.relevancy["sides"]) == {"A", "B"}
    assert run.corpus
    client.force_login(someone("auditor"))
    listed = client.get(reverse("audit_judge")).content.decode()
    assert "hostile drafts, checked" in listed
    page = client.get(reverse("audit_judge_run", args=[run.pk])).content.decode()
    assert "Answer relevancy" in page
    assert run.pairs[0]["question"] in page


def test_a_judge_that_cannot_be_used_is_named_on_the_page(client):
    run = JudgeRun.objects.create(
        side_a="auto", side_b="thinking", judge="vllm:x", question_set="natural dev", corpus="a corpus",
        criteria={"faithfulness": {"a": 5, "b": 4, "ties": 0}}, stopped="it is down",
        quality={"by_place": [19, 20], "noise": [0, 5], "first": [20, 20], "unjudged": [0, 30]},
    )  # fmt: skip
    client.force_login(someone("auditor"))
    page = client.get(reverse("audit_judge_run", args=[run.pk])).content.decode()
    assert "The judge goes by place" in page
    assert "This run ended early: it is down" in page


@pytest.mark.parametrize("arguments", [(), ("auto",), ("auto", "fast"), ("auto", "thinking", "--hostile")])
def test_sides_that_cannot_be_read_are_refused_with_a_sentence(arguments):
    with pytest.raises(CommandError):
        judge(*arguments)
    assert not JudgeRun.objects.exists()
