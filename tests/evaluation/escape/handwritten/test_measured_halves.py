import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from evaluation import results
from evaluation.escape.handwritten.claims import read_half
from evaluation.escape.handwritten.measured_halves import MEASURES, VERIFIER, CachingVerifier, measure_half
from lectorium.ladder.models import JudgeBar
from lectorium.ladder.selectors import has_passed_bar, prompt
from lectorium.providers import registry
from lectorium.providers.protocols import Judgement
from lectorium.providers.stand_ins.overlap import OverlapCrossEncoder
from tests.evaluation.escape.handwritten.conftest import ROWS

pytestmark = pytest.mark.django_db  # runs are stored
TRUE = {row["claim"] for row in ROWS if row["label"] == "supported"}


class KnowingVerifier:
    """Knows which claims are true, and records its calls."""

    name, passed_bar = "knowing", False

    def __init__(self):
        self.asked = []

    def verify(self, pairs):
        self.asked += pairs
        return [self._judged(claim) for _, claim in pairs]

    def _judged(self, claim):
        return Judgement("supported", 0.9, 0.0, None) if claim in TRUE else Judgement("contradicted", 0.1, 0.9, None)


def measured(verifier):
    return measure_half(read_half("unseen"), verifier, registry.embedder(), lambda: None)


def evaluate(*arguments):
    out = StringIO()
    call_command("evaluate", "verifier", "--json", *arguments, stdout=out, stderr=StringIO())
    return json.loads(out.getvalue())["verifier"]


def test_a_perfect_verifier_passes_the_bar(small):
    half = measured(KnowingVerifier())
    assert half.auroc(VERIFIER).value == 1.0
    assert half.auroc(VERIFIER, lambda claim: claim.source == "lecture").false == 0
    assert (half.bar.verified_false_share, half.bar.passed) == (0.0, True)


def test_each_pair_is_judged_once(small):
    verifier = KnowingVerifier()
    measured(verifier)
    assert len(verifier.asked) == len(set(verifier.asked)) == len(ROWS)
    assert CachingVerifier(verifier).passed_bar is False


def test_the_command_prints_every_figure_with_overlap_and_cosine(small):
    found = evaluate("--with", "overlap")
    assert found["verifier"] == "overlap"
    assert set(found["unseen"]["auroc"]["overall"]) == set(MEASURES)
    assert set(found["unseen"]["auroc"]) == {"overall", "lecture", "encyclopedia", "quantity", "added_detail"}
    assert found["unseen"]["auroc"]["quantity"]["verifier"]["false"] == 1
    assert sum(found["dev"]["verdicts"]["supported"].values()) == 2
    assert found["bar"]["passed"] is True
    assert found["bar"]["stored"] == ""


def test_the_development_half_alone_decides_no_bar(small):
    found = evaluate("--half", "dev")
    assert found["bar"] is None
    assert "unseen" not in found


def test_the_results_page_has_a_part_per_verifier(small, settings, tmp_path):
    settings.BASE_DIR = tmp_path
    call_command("evaluate", "verifier", stdout=StringIO(), stderr=StringIO())
    text = (results.folder() / "verifier.md").read_text()
    assert text.startswith("## Verifiers on claims written by hand")
    assert "### overlap" in text
    assert "A reader is shown " in text
    assert "The bar is **passed**: of the unseen half's falsehoods 0/2 = 0.0 %" in text
    assert "| quantity | 1 |" in text


@pytest.mark.django_db(transaction=True)
def test_a_ladder_judge_is_measured_and_its_bar_stored_with_its_prompt(small):
    file = small / "replies.json"  # a chat model that supports everything, with a word that each passage has
    file.write_text(json.dumps([{"text": json.dumps({"verdict": "supported", "support": 1.0, "quote": "the"})}]))
    model, version = f"scripted:{file}", prompt("verify").version
    found = evaluate("--with", model)
    assert found["verifier"] == f"judge {model}"
    assert found["bar"] == {
        "verified_false_share": 0.5, "passed": False, "set": read_half("unseen").digest, "most": 0.02,
        "stored": "the ladder",
    }  # fmt: skip
    stored = JudgeBar.objects.get()
    assert (stored.model, stored.prompt_version, stored.bar.passed) == (model, version, False)
    assert not has_passed_bar(model, version)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nowhere", "'nowhere' is not a verifier: use shipped, overlap, a folder of weights, or PROVIDER:MODEL"),
        ("nobody:small", "'nobody:small' must be PROVIDER:MODEL with one of"),
        ("scripted:/nowhere.json", "there is no file /nowhere.json"),
    ],
)
def test_an_unknown_verifier_is_refused_in_one_sentence(small, name, reason):
    with pytest.raises(CommandError, match=reason):
        evaluate("--with", name)


def test_a_missing_file_of_claims_is_refused_in_one_sentence(small):
    (small / "unseen.jsonl").unlink()
    with pytest.raises(CommandError, match=r"unseen\.jsonl: cannot be read"):
        evaluate()


def test_the_overlap_stand_in_can_be_measured(small):
    half = measured(OverlapCrossEncoder())
    assert half.auroc(VERIFIER) == half.auroc("word overlap")
