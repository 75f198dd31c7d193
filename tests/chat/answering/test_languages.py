"""Questions in other languages than English, which a multilingual space serves beside the one in use."""

import asyncio

import pytest

from audit.models import KnowledgeGap
from chat.answering.calibrations import MissingCalibration, switch_space
from chat.answering.domain.refusals import CLOSEST, UNREAD
from corpus.indexing.embedding import PACE, space_embed
from corpus.models import EmbeddingSpace
from corpus.services.spaces import space_build
from lectorium.asking import ask
from lectorium.providers import registry
from lectorium.providers.stand_ins.hashing import HashingEmbedder
from tests.chat.authors import give, speaking

pytestmark = pytest.mark.django_db(transaction=True)
SPANISH = "¿Quién refused to bow to the newly made man?"


@pytest.fixture
def space(corpus):
    """A space of an embedder of many languages, which compares words, with a bar for questions in them."""
    model = HashingEmbedder()
    model.name = "many-languages"
    registry.replace_model("embedder", model)
    space = space_build(model, "halfvec")
    space_embed(space, PACE)
    only_languages(space, 0.3)
    yield space
    registry.replace_model("embedder", None)


def only_languages(space, bar):
    fitted = {"weights": {}, "bias": 0.0, "answer_from": 1.0, "outside_below": 0.0, "languages": {"": bar}}
    EmbeddingSpace.objects.filter(pk=space.pk).update(calibration=fitted)
    space.refresh_from_db()


def asked(text=SPANISH, **how):
    return asyncio.run(ask(text, **how))


def test_what_is_close_is_shown_but_never_called_an_answer_and_english_keeps_its_own_space(space):
    response = asked(record=True)
    assert (response["outcome"], response["message"], response["confidence"]) == ("closest_passage", CLOSEST, 0)
    assert not KnowledgeGap.objects.exists()
    assert "Iblis" in " ".join(sentence["text"] for sentence in response["sentences"])
    assert response["versions"]["space"] == str(space)
    english = asked("Who refused to bow to the newly made man?")
    assert (english["outcome"], english["versions"]["space"]) == ("grounded", "hashing:halfvec")


def test_below_the_bar_the_reader_is_told_that_only_english_is_judged_and_sees_what_is_nearest(space):
    only_languages(space, 0.99)
    response = asked()
    assert (response["outcome"], response["message"]) == ("refused", UNREAD)
    assert response["nearest"]


def test_a_question_that_a_model_puts_into_english_is_answered_in_the_space_in_use(space):
    asyncio.run(give("translate"))
    with speaking("translate", "Who refused to bow to the newly made man?"):
        response = asked()
    assert (response["outcome"], response["versions"]["space"]) == ("grounded", "hashing:halfvec")


def test_a_space_without_a_bar_serves_no_language_and_one_with_nothing_else_no_english(space):
    with pytest.raises(MissingCalibration, match="only for questions in other languages"):
        switch_space(space)
    EmbeddingSpace.objects.filter(pk=space.pk).update(calibration={})
    assert asked()["outcome"] == "no_retrieval"


def test_a_follow_up_in_another_language_is_looked_for_with_the_question_before_it(space):
    said = (("user", SPANISH), ("assistant", "Only Iblis refused to bow to the newly made man."))
    response = asked("¿Por qué?", history=said)
    assert response["standalone_question"] == f"{SPANISH} ¿Por qué?"
    assert response["outcome"] == "closest_passage"
    assert "Iblis" in " ".join(sentence["text"] for sentence in response["sentences"])


def test_a_follow_up_is_translated_with_the_question_before_it(space):
    asyncio.run(give("translate"))
    english = "Who refused to bow to the newly made man? Why?"
    with speaking("translate", english) as author:
        response = asked("¿Por qué?", history=(("user", SPANISH), ("assistant", "Only Iblis refused.")))
    assert f"{SPANISH} ¿Por qué?" in str(author.asked)
    assert response["standalone_question"] == english


@pytest.mark.parametrize(
    ("asked_before", "short"), [("Warum verweigerte er die Verbeugung?", "Warum?"), (SPANISH, "¿Por qué?")]
)
def test_without_a_space_a_follow_up_is_refused_in_its_own_language(corpus, asked_before, short):
    response = asked(short, history=(("user", asked_before), ("assistant", "…")))
    assert response["outcome"] == "no_retrieval"
