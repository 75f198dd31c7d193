"""Each verifier by its name, and where its bar is stored."""

import json
import shutil

import pytest

from lectorium.ladder.verifiers import named_verifier
from lectorium.providers.cross_encoder_weights import SHIPPED
from lectorium.providers.errors import ModelMissing, PermanentError
from lectorium.providers.handwritten_bar import HandwrittenBar

BAR = HandwrittenBar(0.01, "ab12")


@pytest.fixture
def weights(tmp_path):
    shutil.copy(SHIPPED / "calibration.json", tmp_path)
    return tmp_path


def test_without_a_name_it_is_the_verifier_in_use():
    assert named_verifier().verifier.name == "overlap"


@pytest.mark.parametrize("name", ["", "overlap"])
def test_a_verifier_without_weights_has_no_place_for_its_bar(name):
    before = (SHIPPED / "calibration.json").read_bytes()
    assert named_verifier(name).store(BAR) == ""
    assert (SHIPPED / "calibration.json").read_bytes() == before


@pytest.mark.model
def test_the_bar_of_weights_is_stored_beside_them(weights):
    named = named_verifier(str(weights))
    assert named.store(BAR) == str(weights / "calibration.json")
    stored = json.loads((weights / "calibration.json").read_text())["handwritten"]
    assert stored == {"verified_false_share": 0.01, "passed": True, "set": "ab12"}
    assert named_verifier(str(weights)).verifier.passed_bar


@pytest.mark.model
def test_a_folder_that_cannot_be_written_is_told_in_a_sentence(weights):
    named = named_verifier(str(weights))
    file = weights / "calibration.json"
    file.unlink()
    file.mkdir()
    with pytest.raises(PermanentError, match=r"calibration\.json cannot be written: Is a directory"):
        named.store(BAR)


def test_a_name_that_is_no_verifier_says_which_there_are(tmp_path):
    with pytest.raises(ModelMissing, match="a folder of weights, or PROVIDER:MODEL"):
        named_verifier(str(tmp_path))
