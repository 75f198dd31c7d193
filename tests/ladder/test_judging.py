"""A judge of the ladder has passed the bar only with the prompt that it was measured with."""

import json

import pytest

from lectorium.ladder.judging import RungJudge
from lectorium.ladder.models import JudgeBar, PromptText
from lectorium.ladder.selectors import prompt, serving
from lectorium.ladder.services import judge_bar_record, prompt_save
from lectorium.providers.handwritten_bar import HandwrittenBar
from lectorium.providers.stand_ins.scripted import ScriptedChat

pytestmark = pytest.mark.django_db

MODEL = "vllm:big"
EVIDENCE = "Only Iblis refused to bow."
BELIEVES = json.dumps({"verdict": "supported", "support": 0.93, "quote": EVIDENCE})


def measured(share):
    return judge_bar_record(model=MODEL, prompt=prompt("verify").version, bar=HandwrittenBar(share, "ab12"))


def judge():
    return RungJudge(serving("verify", MODEL))


def test_a_judge_that_was_not_measured_has_not_passed():
    assert not judge().passed_bar


@pytest.mark.parametrize(("share", "passed"), [(0.02, True), (0.03, False)])
def test_a_measured_judge_says_with_each_judgement_whether_it_passed(scripted, share, passed):
    measured(share)
    scripted(MODEL, ScriptedChat(BELIEVES))
    (judged,) = judge().verify([(EVIDENCE, "He alone declined.")])
    assert (judged.support, judged.passed_bar, judge().passed_bar) == (0.93, passed, passed)


def test_measured_again_a_judge_keeps_its_last_result():
    measured(0.0)
    measured(0.5)
    assert JudgeBar.objects.get().verified_false_share == 0.5


def test_another_prompt_makes_a_judge_that_was_not_measured():
    measured(0.0)
    prompt_save(prompt=PromptText(name="verify", text="# user\nWeigh. {{evidence}} {{claim}}"), by="boss")
    assert not judge().passed_bar


def test_a_model_is_asked_as_its_row_says_else_as_a_new_row_would_be(rung):
    assert (serving("verify", MODEL).row, serving("verify", MODEL).prompt) == ("", prompt("verify").version)
    row = rung("verify", MODEL, max_tokens=77)
    assert (serving("verify", MODEL).row, serving("verify", MODEL).max_tokens) == (str(row.pk), 77)
