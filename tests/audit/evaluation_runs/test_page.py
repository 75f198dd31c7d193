from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.urls import reverse

from audit.domain.metrics import Share
from audit.domain.run_comparison import AskedQuestion, RunMetric
from audit.evaluation_runs.services import run_begin, run_end, run_stop
from audit.models import EvaluationRun

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 1, 14, 12, tzinfo=UTC)


def a_run(hours=0, *, suite="natural", corpus="8 lectures (sha256 aa)", good=(True, True), ends=True, **options):
    setting = {"revision": "abc", "corpus": corpus, "components": {"reader": "small"}, "calibrations": {}}
    run = run_begin(suite=suite, options={"mode": "auto", **options}, seed=1, setting=setting)
    if ends:
        share = Share.of(good)
        run_end(
            run,
            corpus=corpus,
            metrics=[RunMetric("answered", share.value, *share.interval, share.hits, share.total)],
            questions=[
                AskedQuestion(f"q{n}", "grounded" if hit else "refused", hit, "<b>Who?</b>")
                for n, hit in enumerate(good)
            ],
            artefacts={"page": "docs/results/natural.md"},
        )
    EvaluationRun.objects.filter(pk=run.pk).update(started_at=NOON + timedelta(hours=hours))
    return run


def compared(client, *runs):
    return client.get(reverse("audit_evaluation_compare"), {"run": [str(run.pk) for run in runs]})


@pytest.fixture
def auditor(client, django_user_model):
    from django.contrib.auth.models import Permission

    user = django_user_model.objects.create_user("auditor", password="p", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_turnaudit"))
    client.force_login(user)
    return client


def test_two_runs_stand_side_by_side_with_the_questions_that_changed(auditor):
    later = a_run(1, good=(False, True, True))
    earlier = a_run(0, good=(True, False, True))
    page = compared(auditor, later, earlier).content.decode()
    assert "Of 3 questions that both runs asked, 1 got worse and 1 got better." in page
    assert page.index("grounded → refused") < page.index("refused → grounded")  # the older run is the first
    assert "&lt;b&gt;Who?" in page
    assert "+0.000" in page


def test_runs_of_different_suites_are_not_compared_and_of_different_corpora_with_a_warning(auditor):
    run = a_run()
    page = compared(auditor, run, a_run(1, suite="golden")).content.decode()
    assert "different suites, natural and golden: nothing can be compared" in page
    assert "Metrics side by side" not in page
    page = compared(auditor, run, a_run(2, corpus="9 lectures (sha256 bb)")).content.decode()
    assert "The corpora differ" in page
    assert "Metrics side by side" in page


def test_a_run_that_was_cut_off_says_so_everywhere(auditor):
    killed, stopped = a_run(0, ends=False), a_run(1, ends=False)
    run_stop(stopped, "golden/dev.jsonl does not exist")
    page = auditor.get(reverse("audit_evaluation")).content.decode()
    assert "not ended" in page
    assert "golden/dev.jsonl does not exist" in page
    page = auditor.get(reverse("audit_evaluation_run", args=[killed.pk])).content.decode()
    assert "has no end" in page
    page = compared(auditor, killed, a_run(3)).content.decode()
    assert "The first run was cut off" in page
    assert "no question in common" in page


@pytest.mark.parametrize("keys", [[], ["x", "y"], [str(uuid4())], [str(uuid4())] * 3])
def test_anything_but_two_runs_is_refused_with_what_to_do(auditor, keys):
    answer = auditor.get(reverse("audit_evaluation_compare"), {"run": keys})
    assert answer.status_code == 400
    assert "two runs" in answer.content.decode()


def test_a_run_that_does_not_exist_is_not_found(auditor):
    assert auditor.get(reverse("audit_evaluation_compare"), {"run": [uuid4(), uuid4()]}).status_code == 404


def test_without_runs_the_page_says_how_to_make_one(auditor):
    assert "manage.py evaluate" in auditor.get(reverse("audit_evaluation")).content.decode()


@pytest.mark.parametrize("name", ["audit_evaluation", "audit_evaluation_compare"])
def test_only_auditors_see_runs(client, django_user_model, name):
    assert client.get(reverse(name)).status_code == 302
    client.force_login(django_user_model.objects.create_user("staff", is_staff=True))
    assert client.get(reverse(name)).status_code == 403
