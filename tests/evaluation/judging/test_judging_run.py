"""The blind comparison, with judges that are good, asleep, partial or talkative."""

import asyncio
import json

import pytest

from audit.domain.judging import CRITERIA, Choice, JudgeRules, fault_of, quality_of, results_of
from evaluation.judging.model_judge import DOWN_AFTER, ModelJudge, SameModel, read_choices
from evaluation.judging.relevancy import relevancy_by_model, relevancy_by_sentences
from evaluation.judging.rubric import RubricJudge
from evaluation.judging.run import JudgedQuestion, compare_sides, pair_as_dict
from evaluation.judging.sides import BadSide, SideAnswer, answer_in, side_of
from lectorium.providers.errors import TooSlow
from lectorium.providers.stand_ins.hashing import HashingEmbedder
from lectorium.providers.stand_ins.overlap import OverlapCrossEncoder
from lectorium.providers.stand_ins.scripted import Reply
from tests.chat.authors import speaking

QUESTIONS = [JudgedQuestion(f"q{n}", f"What is the soul, {n}?", ("The soul is never born.",)) for n in range(30)]
SOURCE = "The soul is never born, nor does it die at any time."
SIDES = (side_of("auto"), side_of("auto+draft"))


def answer(*sentences, models=("vllm:writer",), message=""):
    return SideAnswer(tuple(sentences), message, "grounded", frozenset(models), (SOURCE,))


TRUE = answer(("The soul is never born.", SOURCE))
FALSE = answer(("The moon is made of old cheese.", SOURCE), ("It is green.", ""))


async def both(sides, question, history):
    return [TRUE, FALSE]


async def unmeasured(question, found):
    return None


def compared(judge, questions=QUESTIONS, answers=both):
    run = compare_sides(questions, SIDES, judge, relevancy=unmeasured, on_each=lambda: None, answers=answers)
    return asyncio.run(run)


class PlaceJudge:
    """Takes what is shown first."""

    name, model = "always first", ""

    async def choose(self, question, first, second, key_facts):
        return dict.fromkeys(CRITERIA, Choice.FIRST)


def said(choice):
    return json.dumps(dict.fromkeys(CRITERIA, choice))


def test_the_rubric_finds_the_faithful_and_complete_answer_from_either_place():
    done = compared(RubricJudge(OverlapCrossEncoder()))
    results = {result.criterion: result for result in results_of(done.verdicts)}
    for criterion in ("faithfulness", "completeness", "structure"):
        assert (results[criterion].a, results[criterion].b) == (30, 0)
    quality = quality_of(done.verdicts)
    assert (quality.by_place.hits, quality.noise.hits) == (0, 0)
    assert quality.by_place.total > 10, "about half of the pairs are swapped"
    assert pair_as_dict(done.pairs[0])["winners"]["faithfulness"] == "a"


def test_a_refusal_is_faithful_and_not_complete():
    rubric = RubricJudge(OverlapCrossEncoder())
    scores = rubric.scores(answer(message="Nothing here speaks of it."), QUESTIONS[0].key_facts)
    assert (scores["faithfulness"], scores["completeness"]) == (1.0, 0.0)
    assert rubric.scores(answer(message="No."), ())["completeness"] == 1.0


def test_a_judge_that_goes_by_place_is_found_out():
    assert "goes by place" in fault_of(quality_of(compared(PlaceJudge()).verdicts), JudgeRules())


def test_equal_answers_are_a_tie_without_a_judge():
    class Unasked:
        name, model = "unasked", ""

        async def choose(self, *pair):
            raise AssertionError("equal answers need no judge")

    async def same(sides, question, history):
        return [TRUE, TRUE]

    [result, *_] = results_of(compared(Unasked(), answers=same).verdicts)
    assert (result.a, result.b, result.ties) == (0, 0, 30)


@pytest.mark.django_db(transaction=True)
def test_a_chat_model_judges_blind_and_at_temperature_zero():
    with speaking("judge", *[said("first")] * 9) as model:
        judge = ModelJudge("scripted:judge")
        choices = asyncio.run(judge.choose("What is it?", TRUE, FALSE, ("The soul is never born.",)))
    assert choices == dict.fromkeys(CRITERIA, Choice.FIRST)
    asked = str(model.asked)
    assert "vllm:writer" not in asked
    assert "auto" not in asked.casefold().split()
    assert SOURCE in asked


@pytest.mark.django_db(transaction=True)
def test_a_model_does_not_judge_its_own_answers():
    with speaking("judge", said("tie")):
        judge = ModelJudge("scripted:judge")
        own = answer(("It is.", SOURCE), models=("scripted:judge",))
        with pytest.raises(SameModel):
            asyncio.run(judge.choose("What is it?", TRUE, own, ()))


@pytest.mark.django_db(transaction=True)
def test_prose_is_no_verdict_and_a_judge_that_never_gives_one_ends_the_run():
    with speaking("judge", *["The first answer is better, I think."] * 40):
        done = compared(ModelJudge("scripted:judge"))
    assert "no usable verdict" in done.stopped
    assert len(done.pairs) < DOWN_AFTER
    assert all(not verdict.choices for verdict in done.verdicts)


@pytest.mark.django_db(transaction=True)
def test_a_slow_judge_ends_the_run_with_a_sentence():
    with speaking("judge", *[Reply(fault=TooSlow.fault)] * 40):
        assert "no usable verdict" in compared(ModelJudge("scripted:judge")).stopped


NO_VERDICTS = ("", "first", "[]", '{"faithfulness": "first"}', said("both"), said("first") + "!", "[" * 9999)


@pytest.mark.parametrize("words", NO_VERDICTS)
def test_only_the_json_that_was_asked_for_is_a_verdict(words):
    assert read_choices(words) == {}


def test_json_in_a_code_fence_is_read():
    assert read_choices(f"```json\n{said('second')}\n```") == dict.fromkeys(CRITERIA, Choice.SECOND)


@pytest.mark.django_db(transaction=True)
def test_relevancy_compares_the_question_with_those_that_the_model_reads_from_the_answer():
    embedder = HashingEmbedder(64)
    asked = "What is the soul?"
    with speaking("judge", '{"questions": ["What is the soul?"]}', '{"questions": []}', "prose"):
        found = [asyncio.run(relevancy_by_model("scripted:judge", asked, "It is.", embedder)) for _ in range(3)]
    assert found[0] == pytest.approx(1.0, abs=1e-3)
    assert found[1:] == [0.0, None]
    close = relevancy_by_sentences(asked, ["The soul is what is.", "Cheese."], embedder)
    assert close > relevancy_by_sentences(asked, ["Cheese."], embedder)
    assert relevancy_by_sentences(asked, [], embedder) == 0.0


def test_a_side_is_named_by_its_mode_and_what_it_changes():
    side = side_of("thinking+row=0f+verifier=overlap+draft")
    assert (side.options.mode, side.options.job, side.options.row) == ("thinking", "synthesize", "0f")
    assert (side.options.verifier, side.draft) == ("overlap", True)
    for wrong in ("fast", "auto+speed=9"):
        with pytest.raises(BadSide):
            side_of(wrong)


def test_the_draft_is_read_as_written_and_the_answer_as_shown():
    turn = {
        "response": {"sentences": [{"text": "Shown [1].", "citations": [1]}], "message": "", "outcome": "grounded",
                     "citations": [{"n": 1, "quote": SOURCE}]},
        "trace": {"writing": [{"sentences": [{"text": "A lie [^2].", "cited": [2]}], "notes": []}],
                  "served": [{"model": "vllm:writer", "outcome": "written"}]},
    }  # fmt: skip
    shown, draft = (answer_in(turn, {2: "Note two."}, draft=draft) for draft in (False, True))
    assert (shown.text, shown.sentences) == ("Shown.", (("Shown [1].", SOURCE),))
    assert (draft.text, draft.sentences) == ("A lie.", (("A lie [^2].", "Note two."),))
    assert shown.models == {"vllm:writer"}
