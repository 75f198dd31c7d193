"""A round of translation: published, translated, reviewed, changed, and translated again."""

import asyncio
import threading
from contextlib import contextmanager

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections
from django_q.models import OrmQ

from corpus.domain.local_text import LocalText
from corpus.models import GlossaryEntry, Lecture
from corpus.services import source_withdraw
from curation.entries import EntryLists, entry_store
from curation.models import PinPhrasing, Translation
from curation.services import phrasing_add
from curation.translations import tasks, writer
from curation.translations.selectors import local_text, translation_progress
from curation.translations.services import TranslationRefused, translation_review, translations_again, translations_sync
from curation.translations.sources import PARTS, phrasing_owner
from curation.translations.tasks import translate_due
from lectorium.ladder.models import Rung
from lectorium.only_run import lock_of
from lectorium.providers import registry
from lectorium.providers.endpoint import Endpoint
from lectorium.providers.openai_compatible import OpenAICompatible
from tests.curation.translations.translators import translating
from tests.factories import a_lecture, a_note, a_pin
from tests.providers.openai_server import running_service, whole

pytestmark = pytest.mark.django_db(transaction=True)


def text_in(entry, field, locale):
    """A field of a pin, phrasing or lecture as a reader of this language gets it."""
    language = entry.pin.language if isinstance(entry, PinPhrasing) else entry.language
    owner = phrasing_owner(entry.pin_id, entry.text) if isinstance(entry, PinPhrasing) else entry.pk
    return local_text(owner, PARTS[type(entry), field], LocalText(getattr(entry, field), language), locale)


QUESTION, FRAMING, PHRASING = "What is the soul?", "He said it in 1863.", "What is the self?"
GERMAN = {
    QUESTION: "Was ist die Seele?",
    FRAMING: "Er sagte es im Jahre 1863.",
    PHRASING: "Was ist das Selbst?",
    "The lamp": "Die Lampe",
    "A lamp in a windless place.\n\nIt is still.": "Eine Lampe an einem windstillen Ort.\n\nSie ist ruhig.",
    "A talk": "Ein Vortrag",
    "It is about a tree.": "Es geht um einen Baum.",
}


@pytest.fixture
def boss():
    return User.objects.create_superuser("boss")


@pytest.fixture(autouse=True)
def german(settings):
    settings.LOCALES = ["de"]


@pytest.fixture
def pin():
    return a_pin(QUESTION, phrasings=[PHRASING], framing=FRAMING)


def rows():
    return {row.source: row for row in Translation.objects.all()}


def row_of(source):
    return Translation.objects.get(source=source)


def reframed(pin, framing):
    pin.framing = framing
    entry_store(pin, EntryLists(), by=None, reason="Test")


def test_every_published_text_is_translated_and_nothing_else(pin):
    a_lecture("It is a tree.", summary="It is about a tree.")
    a_note("The lamp", body="A lamp in a windless place.\n\nIt is still.")
    a_pin("A draft?", state="draft", framing="Not yet.")
    a_pin("Was ist das?", language="de")
    source_withdraw(source=a_lecture("Old.", key="gone", title="Withdrawn"))
    with translating(GERMAN):
        assert translate_due() == "7 texts new, 0 changed, 0 removed; 7 translated, 0 failed"
    found = rows()
    assert {source: row.text for source, row in found.items()} == GERMAN
    assert {(row.state, row.origin, tuple(row.checks)) for row in found.values()} == {("machine", "machine", ())}
    assert found[QUESTION].author.startswith("scripted:translate ")
    with translating(GERMAN) as again:
        assert translate_due() == "0 texts new, 0 changed, 0 removed; 0 translated, 0 failed"
    assert again.asked == []


def test_without_a_model_the_texts_are_missing_and_readers_get_the_source(pin):
    assert translate_due() == "3 texts new, 0 changed, 0 removed; 3 missing, because no model does `translate`"
    assert {row.state for row in rows().values()} == {"missing"}
    assert text_in(pin, "framing", "de").text == FRAMING
    (progress,) = translation_progress()
    assert (progress.locale, progress.missing, progress.total) == ("de", 3, 3)


def test_a_change_of_what_is_published_queues_a_run(pin):
    a_pin("A draft?", state="draft")
    queued = [task.func() for task in OrmQ.objects.all()]
    assert queued.count(tasks.TASK) == 1
    reframed(pin, "He said it twice.")
    queued = [task.func() for task in OrmQ.objects.all()]
    assert queued.count(tasks.TASK) == 2


def test_without_a_locale_there_is_nothing_to_do(pin, settings):
    settings.LOCALES = []
    assert "LECTORIUM_LOCALES is empty" in translate_due()
    assert not rows()
    assert translation_progress() == []


def test_a_reader_gets_the_text_of_their_language_where_it_may_be_shown(pin):
    with translating(GERMAN):
        translate_due()
    shown = text_in(pin, "framing", "de-AT")
    assert (shown.text, shown.language, shown.origin) == ("Er sagte es im Jahre 1863.", "de", "machine")
    assert text_in(pin, "framing", "fr").text == FRAMING
    assert text_in(pin, "framing", "en-GB").text == FRAMING
    assert text_in(pin.phrasings.get(), "text", "de").text == "Was ist das Selbst?"


def test_a_translation_that_a_check_objects_to_waits_for_a_person(pin, boss):
    with translating(GERMAN | {FRAMING: "Er sagte es im Jahre 1836."}):
        translate_due()
    row = row_of(FRAMING)
    assert [check for check, _ in row.checks] == ["numbers", "numbers"]
    assert text_in(pin, "framing", "de").text == FRAMING
    with pytest.raises(TranslationRefused, match="The source has 1863"):
        translation_review(row=row, text=row.text, by=boss)
    translation_review(row=row, text="Er sagte es 1863.", by=boss)
    row.refresh_from_db()
    assert (row.state, row.checks, row.reviewed_by) == ("reviewed", [], boss)
    shown = text_in(pin, "framing", "de")
    assert (shown.text, shown.origin) == ("Er sagte es 1863.", "reviewed")


def test_a_reviewer_may_confirm_what_a_check_objects_to(pin, boss):
    with translating(GERMAN):
        translate_due()
    translation_review(row=row_of(FRAMING), text="Er sagte es vor langer Zeit.", by=boss, despite=True)
    row = row_of(FRAMING)
    assert (row.state, [check for check, _ in row.checks]) == ("reviewed", ["numbers"])
    assert text_in(pin, "framing", "de").text == "Er sagte es vor langer Zeit."


def test_a_machine_translation_follows_its_source(pin):
    with translating(GERMAN):
        translate_due()
    reframed(pin, "He said it twice.")
    assert text_in(pin, "framing", "de").text == "He said it twice."
    with translating({"He said it twice.": "Er sagte es zweimal."}):
        assert translate_due() == "0 texts new, 1 changed, 0 removed; 1 translated, 0 failed"
    assert text_in(pin, "framing", "de").text == "Er sagte es zweimal."


def test_a_reviewed_translation_becomes_stale_and_is_not_overwritten(pin, boss):
    with translating(GERMAN):
        translate_due()
    translation_review(row=row_of(FRAMING), text="Er sagte es 1863.", by=boss)
    reframed(pin, "He said it twice.")
    with translating({"He said it twice.": "Er sagte es zweimal."}) as model:
        translate_due()
        translate_due()
    assert model.asked == ["He said it twice."]
    row = row_of("He said it twice.")
    assert (row.state, row.origin, row.text) == ("stale", "reviewed", "Er sagte es 1863.")
    assert (row.translated_source, row.proposal) == (FRAMING, "Er sagte es zweimal.")
    assert text_in(pin, "framing", "de").text == "He said it twice."
    reframed(pin, FRAMING)
    translate_due()
    row.refresh_from_db()
    assert (row.state, row.proposal) == ("reviewed", "")
    assert text_in(pin, "framing", "de").text == "Er sagte es 1863."


def test_a_review_of_a_source_that_changed_meanwhile_is_refused(pin, boss):
    with translating(GERMAN):
        translate_due()
    opened = row_of(FRAMING)
    reframed(pin, "He said it twice.")
    translations_sync(locales=["de"])
    with pytest.raises(TranslationRefused, match="changed while you worked on it"):
        translation_review(row=opened, text="Er sagte es 1863.", by=boss)
    assert row_of("He said it twice.").state == "stale"


def test_of_two_reviewers_the_second_is_told(pin, boss):
    with translating(GERMAN):
        translate_due()
    first, second = row_of(FRAMING), row_of(FRAMING)
    translation_review(row=first, text="Er sagte es 1863.", by=boss)
    with pytest.raises(TranslationRefused, match="changed while you worked on it"):
        translation_review(row=second, text="Er sprach es 1863.", by=boss)
    assert row_of(FRAMING).text == "Er sagte es 1863."


def test_a_review_during_the_model_s_work_is_not_overwritten(pin, boss):
    with translating(GERMAN):
        translate_due()
    translations_again(rows=Translation.objects.filter(source=FRAMING))
    opened = row_of(FRAMING)
    translation_review(row=row_of(FRAMING), text="Er sagte es 1863.", by=boss)
    with translating(GERMAN), writer.TranslationWriter() as run:
        run.write([opened])
    assert (run.written, row_of(FRAMING).text) == (0, "Er sagte es 1863.")


def test_translations_of_a_withdrawn_text_wait_and_those_of_a_deleted_one_go(pin):
    with translating(GERMAN):
        translate_due()
    pin.state = "withdrawn"
    entry_store(pin, EntryLists(), by=None, reason="Test")
    translate_due()
    assert [row.is_published for row in rows().values()] == [False] * 3
    pin.state = "published"
    entry_store(pin, EntryLists(), by=None, reason="Test")
    with translating(GERMAN) as model:
        translate_due()
    assert (model.asked, {row.is_published for row in rows().values()}) == ([], {True})
    pin.delete()
    assert "3 removed" in translate_due()
    assert not rows()


def test_another_phrasing_leaves_the_reviewed_one(pin, boss):
    with translating(GERMAN):
        translate_due()
    translation_review(row=row_of(PHRASING), text="Was ist das Selbst denn?", by=boss)
    phrasing_add(pin=pin, text="And the self?", by=boss)
    with translating({"And the self?": "Und das Selbst?"}):
        translate_due()
    assert row_of(PHRASING).text == "Was ist das Selbst denn?"
    assert row_of("And the self?").text == "Und das Selbst?"


def test_the_glossary_is_told_to_the_model_and_enforced(pin):
    GlossaryEntry.objects.create(term="Seele", synonyms="soul\nātmā", language="de")
    with translating(GERMAN | {QUESTION: "Was ist der Geist?"}) as model:
        translate_due()
    prompt = next(text for source, text in zip(model.asked, model.prompts, strict=True) if source == QUESTION)
    assert "soul → Seele" in prompt
    assert "from English into German" in prompt
    assert [check for check, _ in row_of(QUESTION).checks] == ["terms"]


def test_the_names_of_a_lecture_s_title_are_told_by_its_text():
    a_lecture("It was the death of an emperor.", title="The Death of Emperor Augustus")
    with translating({"The Death of Emperor Augustus": "Der Tod des Kaisers Tiberius"}):
        translate_due()
    assert [check for check, _ in Translation.objects.get().checks] == ["names"]
    assert text_in(Lecture.objects.get(), "title", "de").text == "The Death of Emperor Augustus"


@pytest.mark.parametrize(
    ("answer", "more", "problem"),
    [
        ("Was ist die Seele?", {"max_tokens": 2}, writer.CUT),
        ("  \u200b", {}, writer.NOT_TEXT),
    ],
)
def test_an_answer_that_is_no_translation_says_why_and_is_not_asked_for_again(answer, more, problem):
    a_pin(QUESTION)
    with translating({QUESTION: answer}, **more) as model:
        assert translate_due().endswith("0 translated, 1 failed")
        translate_due()
    assert (len(model.asked), row_of(QUESTION).problem, row_of(QUESTION).state) == (1, problem, "missing")
    assert translations_again(rows=Translation.objects.all()) == 1
    with translating(GERMAN):
        translate_due()
    assert row_of(QUESTION).text == GERMAN[QUESTION]


def test_what_a_model_wraps_its_answer_in_is_taken_off():
    a_pin(QUESTION)
    with translating({QUESTION: "```\n| Was ist\n| die\u202e Seele?\n```"}):
        translate_due()
    assert row_of(QUESTION).text == "Was ist die Seele?"


def test_a_model_that_is_away_is_asked_a_few_times_and_again_in_the_next_run():
    for number in range(12):
        a_pin(f"Which of the {number} is it?")
    with translating({}) as model:
        assert "4 times in a row the model did not answer (unreachable)" in translate_due()
    assert len(model.asked) == writer.LIMITS.misses
    assert {(row.state, row.problem) for row in rows().values()} == {("missing", "")}
    with translating({f"Which of the {n} is it?": f"Welches der {n} ist es?" for n in range(12)}):
        assert translate_due().endswith("12 translated, 0 failed")


def test_two_runs_at_once_ask_once(pin):
    other = connections.create_connection("default")
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [lock_of("translations")])
            assert translate_due() == tasks.ALREADY
            cursor.execute("SELECT pg_advisory_unlock(%s)", [lock_of("translations")])
    finally:
        other.close()
    with translating(GERMAN):
        assert translate_due().endswith("3 translated, 0 failed")
    assert connection.is_usable()


@contextmanager
def a_served_model():
    """An OpenAI-compatible server on a thread of its own, and the settings that name it."""
    ready, stop, found = threading.Event(), asyncio.Event(), {}

    async def serve():
        async with running_service() as service:
            found["service"], found["loop"] = service, asyncio.get_running_loop()
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),), daemon=True)
    thread.start()
    assert ready.wait(10)
    try:
        yield found["service"]
    finally:
        found["loop"].call_soon_threadsafe(stop.set)
        thread.join(10)


@pytest.mark.network
def test_a_served_model_translates():
    a_pin(QUESTION)
    with a_served_model() as service:
        service.answers = [whole("Was ist ", "die Seele?")]
        registry.replace_model("vllm:m", OpenAICompatible(Endpoint("vllm", service.url), "m"))
        Rung.objects.create(job="translate", model="vllm:m", max_tokens=100)
        assert translate_due().endswith("1 translated, 0 failed")
        registry.replace_model("vllm:m", None)
    assert row_of(QUESTION).text == "Was ist die Seele?"
    assert service.asked[0].path == "/v1/chat/completions"
    assert "| What is the soul?" in service.asked[0].body["messages"][-1]["content"]
