import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from corpus.models import Collection, Lecture
from evaluation import results
from evaluation.retrieval.gate import gate_lines
from evaluation.retrieval.run import GATE, GatedQuestion, Run, Sampling, SearchedQuestion, sample
from evaluation.retrieval.sets import SetQuestion
from evaluation.separation import SIGNALS
from tests.evaluation.retrieval.written import write_data
from tests.factories import a_lecture


@pytest.fixture
def data(transactional_db, tmp_path, settings):
    settings.DATA_DIR = write_data(tmp_path / "data")
    settings.CALIBRATIONS_DIR = settings.BASE_DIR / "tests" / "calibrations"
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.BASE_DIR = tmp_path  # where the page is written
    return settings.DATA_DIR


def evaluate(name, **options):
    out = StringIO()
    call_command("evaluate", "retrieval", set=name, limit=2, asked=2, stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def test_gold_passages_are_found(data):
    figures = json.loads(evaluate("squad2", json=True))["retrieval"]
    assert figures["questions"] == 1
    assert figures["orders"]["lexical"]["recall@1"] == 1.0
    assert figures["orders"]["reranked"]["MRR@20"] == 1.0
    assert (figures["gate"]["of"], figures["gate"]["of_no"]) == (1, 1)
    assert figures["milliseconds"]["total"]["p95"] >= figures["milliseconds"]["total"]["p50"] >= 0


def test_two_hops_are_counted_separately_and_jointly(data):
    figures = json.loads(evaluate("hotpotqa", json=True))["retrieval"]
    assert figures["orders"]["reranked"]["recall@20"] == figures["orders"]["reranked"]["both in 20"] == 1.0
    assert "MAP@20" in figures["orders"]["fused"]


def test_the_gold_of_a_meeting_is_any_turn_of_its_span(data):
    figures = json.loads(evaluate("qmsum", json=True))["retrieval"]
    assert figures["orders"]["fused"]["recall@5"] == 1.0
    assert figures["gate"]["of_no"] == 0


def test_an_operators_corpus_is_neither_searched_nor_changed(data):
    a_lecture("The work is yours by right.")
    with pytest.raises(CommandError, match=r"library.*LECTORIUM_STATE"):
        evaluate("squad2")
    assert list(Collection.objects.values_list("key", flat=True)) == ["library"]
    assert Lecture.objects.count() == 1


def test_sets_are_not_mixed(data):
    evaluate("squad2", json=True)
    with pytest.raises(CommandError, match="evaluation-squad2"):
        evaluate("qmsum")


def test_each_set_writes_its_own_part_of_the_page(data, tmp_path):
    page = tmp_path / "docs" / "results" / "retrieval.md"
    results.publish_part("retrieval", "## Retrieval", "QMSum", ["of an earlier run"])
    results.publish_part("retrieval", "## Retrieval", "SQuAD 2", ["of an earlier run"])
    call_command("evaluate", "retrieval", set="squad2", limit=2, asked=2, stdout=StringIO(), stderr=StringIO())
    head, meetings, squad = page.read_text().split("\n### ")
    assert head.rstrip().endswith("Not measured yet: HotpotQA and 2Wiki, HotpotQA, paragraphs of its test part.")
    assert meetings.strip() == "QMSum\n\nof an earlier run"
    assert squad.startswith("SQuAD 2\n\nQuestions about")
    assert "| has none | " in squad
    assert "\n| gate | " in squad
    assert "1 of 1 answerable questions and 1 of 1 unanswerable ones, drawn by seed 1" in squad


@pytest.mark.django_db
def test_asked_cannot_exceed_limit():
    with pytest.raises(CommandError, match="--asked"):
        call_command("evaluate", "retrieval", limit=1, asked=2)


def test_sampling_is_reproducible():
    questions = [SetQuestion(str(n), (frozenset({"a"}),) if n % 2 else ()) for n in range(40)]
    yes, no = sample(questions, Sampling(10, 5, seed=1))
    assert (len(yes), len(no)) == (10, 5)
    assert all(question.gold for question in yes)
    assert not any(question.gold for question in no)
    assert (yes, no) == sample(questions, Sampling(10, 5, seed=1))
    assert (yes, no) != sample(questions, Sampling(10, 5, seed=2))


def test_unanswerable_kinds_are_sampled_evenly():
    questions = [
        SetQuestion(f"{kind} {n}?", kind=kind) for kind, count in (("far", 100), ("false", 10)) for n in range(count)
    ]
    _, no = sample(questions, Sampling(10, 8, seed=1))
    assert sorted(question.kind for question in no) == ["false"] * 4 + ["far"] * 4


def test_each_unanswerable_kind_has_a_row():
    gated = [GatedQuestion(False, answered, False, {}, kind) for kind, answered in (("far", False), ("false", True))]
    gated.append(GatedQuestion(False, False, False, {}, "far", closest=True))
    lines = gate_lines(Run((0, 2), (), gated, (0.0, 0.0)), "auto")
    assert "| – far | 0 | 1 | 1 |" in lines
    assert "| – false | 1 | 0 | 0 |" in lines


def test_questions_without_an_answer_are_counted_at_the_bar_that_answers_enough_of_the_others():
    def searched(gold, kind, chance):
        return SearchedQuestion(SetQuestion("?", gold, kind), {}, dict.fromkeys((*SIGNALS, GATE), chance))

    held = (frozenset({"a"}),)
    found = [searched(held, "", chance) for chance in (0.9, 0.8, 0.7, 0.6, 0.1)]
    found += [searched((), "far", 0.2), searched((), "false", 0.65), searched((), "false", 0.5)]
    gated = [GatedQuestion(bool(asked.question.gold), False, False, {}, asked.question.kind) for asked in found]
    lines = "\n".join(gate_lines(Run((5, 3), found, gated, (0.0, 0.0)), "auto"))
    assert "| answerable answered | bar | has none | far | false |" in lines
    assert "| 4/5 = 0.80 [0.38, 0.96] | 0.60 | 1/3 = 0.33 [0.06, 0.79] | 0/1" in lines
