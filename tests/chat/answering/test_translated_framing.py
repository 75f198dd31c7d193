"""A pin's framing is shown, and a note's text used, in the language that the question was typed in."""

from dataclasses import replace

import pytest

from chat.answering.ask import operator
from chat.answering.domain.evidence.pool import PoolLimits
from chat.answering.domain.query.reply import ReadAs
from chat.answering.domain.question import Question
from chat.answering.stages.plan import plan_question
from chat.answering.stages.retrieve import retrieve_candidates
from corpus.selectors import serving_space
from curation.lookup import curation_version
from curation.models import Translation
from curation.translations.services import translation_review, translation_store, translations_sync
from lectorium.threads import in_thread
from tests.factories import a_note, a_pin

pytestmark = pytest.mark.django_db(transaction=True)
ASKED = "How should one work without wanting anything?"


@pytest.fixture(autouse=True)
def german(settings):
    settings.LOCALES = ["de"]


def framed(state):
    a_pin(ASKED, ["BG 2.47"], framing="Hear both verses.")
    translations_sync(locales=["de"])
    row = Translation.objects.get(part="framing")
    translation_store(row=row, text="Höre beide Verse.", author="test")
    if state == "reviewed":
        translation_review(row=Translation.objects.get(pk=row.pk), text="Höre beide Verse!", by=None)


@pytest.mark.parametrize(
    ("state", "asked_in", "expected"),
    [
        ("reviewed", "de", "Höre beide Verse!"),
        ("machine", "de", "Höre beide Verse. (maschinell übersetzt)"),
        ("reviewed", "fr", "Hear both verses."),
        ("reviewed", "en", "Hear both verses."),
    ],
)
async def test_the_framing_is_in_the_language_of_the_question(corpus, state, asked_in, expected):
    await in_thread(framed, state)
    viewer = await in_thread(operator)
    plan = await in_thread(plan_question, Question(ASKED, viewer))
    plan = replace(plan, read_as=ReadAs("translation", "Wie soll man wirken?", ASKED, asked_in))
    pool = await retrieve_candidates(plan, viewer, PoolLimits(), await in_thread(serving_space))
    assert [match.entry.framing for match in pool.curated] == [expected]


async def test_a_review_of_a_framing_makes_earlier_answers_old(corpus):
    await in_thread(framed, "machine")
    before = await in_thread(curation_version)
    row = await in_thread(Translation.objects.get, part="framing")
    await in_thread(lambda: translation_review(row=row, text="Höre beide Verse!", by=None))
    assert await in_thread(curation_version) != before


@pytest.mark.parametrize(
    ("state", "asked_in", "expected"),
    [
        ("reviewed", "de", "Beide Verse gehören zusammen."),
        ("machine", "de", "Both verses belong together."),
        ("reviewed", "fr", "Both verses belong together."),
    ],
)
async def test_a_reviewed_translation_of_a_note_guides_the_model_that_writes(corpus, state, asked_in, expected):
    await in_thread(noted, state)
    viewer = await in_thread(operator)
    plan = await in_thread(plan_question, Question("What of work without wanting?", viewer))
    plan = replace(plan, read_as=ReadAs("translation", "Was ist Wirken ohne Wollen?", plan.standalone, asked_in))
    pool = await retrieve_candidates(plan, viewer, PoolLimits(), await in_thread(serving_space))
    assert pool.background == (expected,)


def noted(state):
    a_note("Work", ["BG 2.47"], body="Both verses belong together.", triggers=["without wanting"])
    translations_sync(locales=["de"])
    row = Translation.objects.get(part="note_body")
    translation_store(row=row, text="Beide Verse gehören zusammen.", author="test")
    if state == "reviewed":
        translation_review(row=Translation.objects.get(pk=row.pk), text="Beide Verse gehören zusammen.", by=None)
