from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from audit.models import EvaluationRun
from evaluation.management.commands.evaluate import SUITES, other_commands_cited

pytestmark = pytest.mark.django_db(transaction=True)


def evaluate(*arguments):
    out = StringIO()
    call_command("evaluate", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_a_run_of_a_suite_is_a_row_with_its_setting_metrics_and_questions(golden):
    evaluate("golden")
    run = EvaluationRun.objects.get()
    assert (run.suite, run.options["mode"], run.seed, run.stopped) == ("golden", "auto", 1, "")
    assert run.ended_at > run.started_at
    assert "sha256" in run.corpus
    assert run.components["embedder"]
    assert run.components["verifier"]
    assert run.calibrations
    metrics = {metric["name"]: metric for metric in run.metrics}
    assert 0 <= metrics["answered"]["low"] <= metrics["answered"]["value"] <= metrics["answered"]["high"] <= 1
    assert {question["id"] for question in run.questions} == {"a1", "a2", "a3", "b1", "b2", "c1", "c2"}
    assert run.artefacts["page"] == "docs/results/golden.md"


def test_a_run_without_its_data_is_stored_with_the_reason_and_without_an_end(corpus, tmp_path, settings):
    settings.DATA_DIR = tmp_path / "nowhere"
    with pytest.raises(CommandError, match="does not exist"):
        evaluate("golden", "--json")
    run = EvaluationRun.objects.get()
    assert run.ended_at is None
    assert "dev.jsonl does not exist" in run.stopped


def test_a_run_that_is_interrupted_is_stored_as_such(golden, monkeypatch):
    def interrupted(options):
        raise KeyboardInterrupt

    monkeypatch.setitem(SUITES, "golden", interrupted)
    with pytest.raises(KeyboardInterrupt):
        evaluate("golden")
    assert EvaluationRun.objects.get().stopped == "KeyboardInterrupt"


def test_readers_questions_are_stored_without_their_words(corpus, tmp_path, settings):
    from audit.gaps import key_of
    from audit.models import RegressionCase

    settings.BASE_DIR = tmp_path
    case = RegressionCase.objects.create(key=key_of("Who was haughty?"), question="Who was haughty?", references=[])
    with pytest.raises(CommandError):
        evaluate("regressions")
    [question] = EvaluationRun.objects.get().questions
    assert (question["id"], question["text"]) == (str(case.pk), "")


def test_without_a_name_what_cannot_be_run_is_said_and_the_rest_runs(corpus, tmp_path, settings, monkeypatch):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "results.md").write_text(
        "| a | `manage.py calibrate` |\n| b | `manage.py evaluate golden` |\n"
    )
    settings.BASE_DIR, settings.DATA_DIR = tmp_path, tmp_path / "nowhere"
    for suite in SUITES.keys() - {"regressions", "golden", "retrieval"}:
        monkeypatch.delitem(SUITES, suite)
    said = evaluate()
    assert "0 regression cases asked." in said
    assert "- golden: " in said
    assert "- retrieval: " in said
    assert "- manage.py calibrate: not a suite, run it by itself" in said
    assert EvaluationRun.objects.filter(ended_at=None).count() == 2


def test_every_suite_that_the_results_cite_runs_without_a_name():
    assert other_commands_cited() == ["manage.py calibrate"]
