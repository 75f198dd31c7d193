"""The plan of a question: what it looks for besides its own words, and the places it names."""

import datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from chat.answering import lexical
from chat.answering.ask import operator
from chat.answering.domain.question import HistoryMessage, Question, Route
from chat.answering.stages.plan import plan_question, topic_words
from chat.answering.verifiers import library_of
from corpus.catalogue import addresses
from corpus.catalogue.addresses import lecture_keys
from corpus.catalogue.glossary import synonyms_of, technical_stems
from corpus.indexing.terms import refresh_terms
from corpus.language import lexeme, lexemes
from corpus.models import Chunk, GlossaryEntry
from corpus.selectors import words_version
from tests.factories import a_collection, a_lecture, a_work, the_schemes

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def schemes(db):
    the_schemes()


@pytest.fixture
def entry():
    GlossaryEntry.objects.all().delete()
    return GlossaryEntry.objects.create(term="soul", synonyms="ātmā\njīva\nliving being")


def plan_of(text):
    return plan_question(Question(text, operator()))


def found_by(plan):
    hits = lexical.lexical_lane([plan.words], operator(), plan.alternatives)
    texts = dict(Chunk.objects.values_list("pk", "text"))
    return [(texts[hit.chunk_id], hit.lane) for hit in hits]


def test_a_question_is_also_asked_in_the_words_of_the_glossary(entry):
    plan = plan_of("What is the soul?")
    assert plan.wordings[0].text == "What is the soul?"
    assert [wording.text for wording in plan.wordings if wording.kind == "glossary"] == ["ātmā", "jīva"]
    assert plan.alternatives["soul"] == (("atma",), ("jiva",), ("live",))


def test_every_term_of_an_entry_leads_to_the_others(entry):
    assert ("soul",) in synonyms_of("the आत्मा").alternatives["atma"]
    assert ("soul",) in synonyms_of("a living being").alternatives["live"]
    assert synonyms_of("the body").alternatives == {}


def test_the_terms_of_the_glossary_are_technical_but_not_the_half_of_one(entry):
    assert technical_stems("Souls live here, says the आत्मा.") == {"soul", "atma"}
    assert technical_stems("a living being, a body") == frozenset()


def test_a_chunk_that_says_it_in_another_word_is_found_by_words(entry):
    a_lecture("The ātmā is never born.", key="one")
    a_lecture("The body is born and dies.", key="two")
    refresh_terms()
    assert found_by(plan_of("What of the soul?")) == [("The ātmā is never born.", "lexical")]
    GlossaryEntry.objects.all().delete()
    assert found_by(plan_of("What of the soul?")) == []


def test_the_word_itself_counts_for_more_than_a_commoner_synonym(entry):
    a_lecture("The soul is eternal.", key="one")
    for number in range(4):
        a_lecture(f"The jiva is eternal, he said {number}.", key=f"jiva{number}")
    refresh_terms()
    assert found_by(plan_of("the soul"))[0][0] == "The soul is eternal."


def test_a_common_word_is_still_searched_by_beside_its_rare_synonym(entry, monkeypatch):
    monkeypatch.setattr(lexical, "COMMON_WORD_CHUNKS", 1)
    for number in range(3):
        a_lecture(f"The soul is eternal, he said {number}.", key=f"soul{number}", title=f"Talk {number}")
    a_lecture("The jiva is eternal.", key="jiva")
    refresh_terms()
    assert len(found_by(plan_of("the soul"))) == 4


def test_words_that_too_many_chunks_hold_are_searched_only_beside_a_rarer_one(entry, monkeypatch):
    monkeypatch.setattr(lexical, "COMMON_WORD_CHUNKS", 1)
    monkeypatch.setattr(lexical, "RAREST_WORD_CHUNKS", 2)
    for number in range(3):
        a_lecture(f"The wind is written, he said {number}.", key=f"wind{number}", title=f"Talk {number}")
    a_lecture("The wind is a reaper.", key="reaper")
    refresh_terms()
    assert found_by(plan_of("is the wind written?")) == []
    assert found_by(plan_of("the wind, a reaper?"))[0][0] == "The wind is a reaper."


def test_a_german_entry_serves_german_questions_and_an_english_one_all(entry):
    GlossaryEntry.objects.create(term="Seele", synonyms="Geist", language="de")
    asked = "Was ist die Seele und ātmā?"
    german = plan_question(Question(asked, operator(), locale="de")).alternatives
    assert ("geist",) in german["seel"]
    assert ("soul",) in german["atma"]
    assert plan_of(asked).alternatives == german  # on whatever page it is asked
    assert "seel" not in plan_of("What is Seele, and what ātmā?").alternatives
    assert ("geist",) in library_of(operator(), "de").synonyms("die Seele")["seel"]


def test_an_edit_counts_from_the_next_question_on(entry):
    before = words_version()
    entry.synonyms = "spirit"
    entry.save()
    assert words_version() != before
    assert synonyms_of("soul").alternatives == {"soul": (("spirit",),)}


def test_a_question_meets_other_languages_by_their_own_stems(entry):
    a_lecture("Die Seelen wanderten weiter.", key="de", language="de")
    a_work({"BG 2.47": "karmaṇyevādhikāraste mā phaleṣu"}, language="sa")
    refresh_terms()
    assert found_by(plan_of("Wohin wanderten die Seelen?"))[0][0] == "Die Seelen wanderten weiter."
    assert found_by(plan_of("karmanyevadhikaraste phaleshu"))[0][0] == "karmaṇyevādhikāraste mā phaleṣu"


def test_what_only_the_context_says_is_found_but_never_part_of_the_text(entry):
    a_lecture("He answered at once.", key="one", title="The banyan", place="Chicago", speaker="Ann")
    chunk = Chunk.objects.get()
    assert chunk.context == "The banyan. Ann, Chicago."
    assert "Chicago" not in chunk.text
    refresh_terms()
    assert found_by(plan_of("Chicago")) == [("He answered at once.", "lexical")]


def test_a_word_of_the_title_outranks_one_of_the_context(entry):
    a_lecture("One answered at once.", key="one", title="Chicago", place="Boston")
    a_lecture("Two answered at once.", key="two", title="Boston", place="Chicago")
    refresh_terms()
    assert [text for text, _ in found_by(plan_of("chicago"))] == ["One answered at once.", "Two answered at once."]


@pytest.mark.parametrize(
    ("question", "keys", "faults"),
    [
        ("What does John 11:35 say?", ("john 11 35",), ()),
        ("Read me John 11, please.", ("john 11 34", "john 11 35"), ()),
        ("What does John 11 say about grief?", (), ()),
        ("What does chapter 11 of John teach about grief and tears?", (), ()),
        ("John 11:99?", (), ("Chapter 11 of John has 35 verses, so there is no John 11:99.",)),
        ("What does John 11:20-3 say?", (), ("John 11:20-3 runs backwards: John 11:3 comes before John 11:20.",)),
        ("Mark 1:1", (), ("Mark is not among these sources, so there is no Mark 1:1 to show.",)),
        ("What did he think of the faith of Mark 1:1?", (), ()),
        ("What did he say on 26 September 1893 in Chicago?", ("one 1",), ()),
        ("What did he say about faith on 26 September 1893?", (), ()),
    ],
)
def test_a_place_is_looked_up_where_it_is_what_was_asked_for(question, keys, faults):
    a_work({"John 11:35": "Jesus wept."})
    a_lecture("Faith.", key="one", date=datetime.date(1893, 9, 26), place="Chicago", collection=a_collection("talks"))
    plan = plan_of(question)
    assert set(keys) <= set(plan.address_keys) if keys else plan.address_keys == ()
    assert plan.address_faults == faults
    assert (plan.route is Route.ADDRESS) == bool(keys or faults)


def test_a_question_in_another_language_is_stemmed_as_its_passages_are_and_its_function_words_say_nothing():
    plan = plan_of("Was sagt die Gītā über die Pflichten der Krieger?")
    assert plan.language == "de"
    assert plan.words == (lexeme("gita", "de"), lexeme("pflichten", "de"), lexeme("krieger", "de"))
    passage = "Die Pflicht des Kriegers steht in der Gītā."
    assert set(plan.words) <= set(lexemes(passage, "de"))


def test_a_question_that_is_too_short_to_tell_is_in_the_language_of_its_page():
    assert plan_question(Question("karma yoga", operator(), locale="de")).language == "de"
    assert plan_question(Question("What did he say of the tree?", operator(), locale="de")).language == "en"


@pytest.mark.parametrize("page", ["en", "de", "hi"])
def test_an_english_question_is_planned_as_on_an_english_page_whatever_its_page_is(entry, page):
    plan = plan_question(Question("What does the Gita say about the soul's working?", operator(), locale=page))
    assert plan == plan_of("What does the Gita say about the soul's working?")
    assert plan.words == ("gita", "soul", "work")
    assert plan.alternatives["soul"] == (("atma",), ("jiva",), ("live",))


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("What does verse 5 say?", Route.UNDERSPECIFIED),
        ("Tell me more", Route.UNDERSPECIFIED),
        ("Tell me about karma", Route.SINGLE_HOP),
    ],
)
def test_only_a_question_that_does_not_say_what_it_seeks_is_asked_back(text, route):
    assert plan_of(text).route is route


@pytest.mark.parametrize(
    ("follow_up", "keys"),
    [
        ("What does it mean?", {"john 11 35"}),
        ("Why?", {"john 11 35"}),
        ("And John 11:34?", {"john 11 34"}),
        ("Why does karma bind us?", set()),
        ("So why does karma bind us?", set()),
        ("And the next verse?", set()),
        ("And what of bhakti?", set()),
    ],
)
def test_an_address_of_the_thread_counts_only_where_the_question_points_at_it(follow_up, keys):
    a_work({"John 11:34": "Where have ye laid him?", "John 11:35": "Jesus wept."})
    thread = (HistoryMessage("user", "What does John 11:35 say?"), HistoryMessage("assistant", "Jesus wept."))
    plan = plan_question(Question(follow_up, operator(), history=thread))
    assert set(plan.address_keys) == keys
    assert (plan.route is Route.ADDRESS) == bool(keys)


@pytest.mark.parametrize(
    ("text", "language", "kept"),
    [
        ("Why did Iblis refuse to bow to Adam?", "en", "Iblis refuse bow Adam"),
        ("What is “karma-yoga”, and who teaches karma-yoga?", "en", "karma-yoga teaches"),
        ("What does the Gītā say of आत्मा?", "en", "Gītā ātmā"),
        ("Was sagt die Gītā über die Pflichten der Krieger?", "de", "Gītā Pflichten Krieger"),
    ],
)
def test_keywords_are_the_words_of_the_topic_as_they_were_written(text, language, kept):
    [wording] = [
        wording for wording in plan_question(Question(text, operator())).wordings if wording.kind == "keywords"
    ]
    assert wording.text == kept
    assert set(wording.words) == set(topic_words(text, language))


def test_a_day_named_often_is_looked_up_once_and_of_many_days_only_some():
    a_lecture("Faith.", key="one", date=datetime.date(1893, 9, 26), place="Chicago", collection=a_collection("talks"))
    with CaptureQueriesContext(connection) as queries:
        keys, rest = lecture_keys("26 September 1893 in Chicago, 1893-09-26, " * 30)
    assert keys == ("one 1",)
    assert "1893" not in rest
    assert len(queries) == 2
    with CaptureQueriesContext(connection) as queries:
        lecture_keys(" ".join(f"1893-01-{day:02}" for day in range(1, 31)))
    assert len(queries) <= 2 * addresses.MOST_DAYS


def test_of_many_addresses_as_many_are_looked_up_as_can_be_shown():
    a_work({f"BG 2.{verse}": "Words." for verse in range(1, 60)})
    plan = plan_of(", ".join(["BG 2.1"] * 50))
    assert plan.address_keys == ("bg 2 1",)
    plan = plan_of("; ".join(f"BG 2.{verse}" for verse in range(1, 60)))
    assert len(plan.address_keys) == addresses.MOST_ADDRESSES
    plan = plan_of("; ".join(f"BG 99.{verse}" for verse in range(1, 60)))
    assert len(plan.address_faults) == addresses.MOST_ADDRESSES
