"""Questions that were gaps and must stay answered: a small set over a small corpus, run at every commit."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from audit.gaps import key_of
from audit.models import RegressionCase
from curation.models import PinnedQuestion
from tests.factories import a_pin

pytestmark = pytest.mark.django_db(transaction=True)
PINNED = {
    "Which spirit was excessively haughty?": "first-steps:1",
    "What outlives every kingdom?": "first-steps:1",
    "May I claim a wage?": "BG 2.47",
}


@pytest.fixture
def cases(corpus, tmp_path, settings):
    settings.BASE_DIR = tmp_path
    for question, address in PINNED.items():
        pin = a_pin(question, [address])
        RegressionCase.objects.create(key=key_of(question), question=question, references=[address], pin=pin)
    return tmp_path / "docs" / "results" / "regressions.md"


def evaluate(*options):
    out = StringIO()
    call_command("evaluate", "regressions", *options, stdout=out)
    return out.getvalue()


def test_pinned_questions_stay_answered_by_their_passages(cases):
    evaluate()
    assert set(RegressionCase.objects.values_list("passed", "outcome")) == {(True, "grounded")}
    page = cases.read_text()
    assert "3/3" in page
    assert "haughty" not in page


def test_a_case_that_is_refused_again_fails_by_name_and_a_retired_one_is_not_asked(cases):
    PinnedQuestion.objects.filter(question__startswith="May").update(state="withdrawn")
    with pytest.raises(CommandError, match=r"not now:\n- May I claim a wage\?: refused"):
        evaluate()
    failed = RegressionCase.objects.get(passed=False)
    assert failed.checked_at
    RegressionCase.objects.filter(pk=failed.pk).update(active=False)
    assert len(json.loads(evaluate("--json"))["regressions"]) == 2


def test_an_answer_from_other_passages_fails_too(cases):
    RegressionCase.objects.filter(question__startswith="May").update(references=["BG 2.48"])
    with pytest.raises(CommandError, match="cites none of its passages"):
        evaluate("--json")


def test_without_cases_the_page_says_so(corpus, tmp_path, settings):
    settings.BASE_DIR = tmp_path
    evaluate()
    assert "no cases yet" in (tmp_path / "docs" / "results" / "regressions.md").read_text()
