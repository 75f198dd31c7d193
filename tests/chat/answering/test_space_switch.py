"""One embedding space answers at a time, whichever is switched to and whenever."""

import asyncio
import threading
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connections

from chat.answering.calibrations import MissingCalibration, calibration_of, switch_space
from corpus.models import ChunkVector, EmbeddingSpace, SentenceVector
from corpus.selectors import SpaceRefused, serving_space, space_named
from corpus.services.spaces import space_retire
from lectorium.asking import ask, search

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = "Who refused to bow to the newly made man?"


def space_command(*arguments):
    out = StringIO()
    call_command("space", *arguments, stdout=out, verbosity=0)
    return out.getvalue()


@pytest.fixture
def spaces(corpus):
    """The space that serves, and one of another model and width that is ready."""
    space_command("build", "hashing-128")
    old, new = space_named("hashing"), space_named("hashing-128")
    EmbeddingSpace.objects.filter(pk=new.pk).update(calibration={**vars_of(old), "evidence": {"auroc": 0.9}})
    new.refresh_from_db()
    return old, new


def vars_of(space):
    calibration = calibration_of(space)
    return {name: getattr(calibration, name) for name in ("weights", "bias", "answer_from", "outside_below")}


def found_now():
    return [(row["address"], row["similarity"]) for row in asyncio.run(search(QUESTION))]


def test_every_answer_comes_wholly_from_one_space_while_it_is_switched(spaces):
    old, new = spaces
    expected = {str(old): found_now()}
    switch_space(new)
    expected[str(new)] = found_now()
    assert expected[str(old)] != expected[str(new)]
    answers, searches, asking = [], [], threading.Event()

    def reader():
        for _ in range(4):
            answers.append(asyncio.run(ask(QUESTION)))
            searches.append(found_now())
        connections.close_all()

    def operator():
        while not asking.is_set():
            for space in spaces:
                switch_space(space)
        connections.close_all()

    readers = [threading.Thread(target=reader) for _ in range(3)]
    switching = threading.Thread(target=operator)
    for thread in (*readers, switching):
        thread.start()
    for thread in readers:
        thread.join(120)
    asking.set()
    switching.join(60)
    assert [answer["outcome"] for answer in answers] == ["grounded"] * 12
    assert {answer["versions"]["space"] for answer in answers} == {str(old), str(new)}
    assert all(found in expected.values() for found in searches)


def test_a_space_can_be_switched_back_to_and_both_are_kept_up_to_date(spaces):
    old, new = spaces
    assert "serves from now on" in space_command("switch", "hashing-128")
    assert serving_space() == new
    space_command("switch", "hashing")
    assert serving_space() == old
    assert "ready     hashing-128:halfvec" in space_command("list")


def test_a_space_that_is_not_filled_or_not_calibrated_is_not_switched_to(spaces):
    _, new = spaces
    EmbeddingSpace.objects.filter(pk=new.pk).update(state="building")
    with pytest.raises(CommandError, match="is building, not ready"):
        space_command("switch", "hashing-128")
    new.calibration = {}
    with pytest.raises(MissingCalibration):
        switch_space(new)
    assert serving_space().model == "hashing"


def test_a_retired_space_loses_its_vectors_and_can_be_built_anew(spaces):
    old, new = spaces
    with pytest.raises(SpaceRefused, match="is in use"):
        space_retire(space=old)
    assert "4 vectors deleted" in space_command("retire", "hashing-128")
    assert not ChunkVector.objects.filter(space=new).exists()
    assert not SentenceVector.objects.filter(space=new).exists()
    assert SentenceVector.objects.filter(space=old).exists()
    space_command("build", "hashing-128")
    assert ChunkVector.objects.filter(space=new).count() == 4


def test_a_space_under_a_binary_index_answers_as_well(corpus):
    space_command("build", "hashing", "--index", "binary")
    before = found_now()
    with pytest.raises(CommandError, match="several spaces"):
        space_command("switch", "hashing")
    space_command("switch", "hashing:binary")
    assert found_now() == before


def test_an_unknown_space_is_named_with_those_there_are(corpus):
    with pytest.raises(CommandError, match="there are: hashing:halfvec"):
        space_command("switch", "nonesuch")


def test_a_gate_fitted_with_another_cross_encoder_answers_nothing(corpus):
    space = serving_space()
    fitted = {**vars_of(space), "evidence": {"reader": "overlap"}}
    EmbeddingSpace.objects.filter(pk=space.pk).update(calibration=fitted)
    assert calibration_of(serving_space()).evidence == {"reader": "overlap"}
    fitted["evidence"] = {"reader": "lectorium-cross-encoder of last year"}
    EmbeddingSpace.objects.filter(pk=space.pk).update(calibration=fitted)
    with pytest.raises(MissingCalibration, match=r"of last year.*'overlap' reads.*manage.py calibrate"):
        calibration_of(serving_space())
