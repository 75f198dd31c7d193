from uuid import UUID

import pytest

from chat.answering.domain.query import planning
from chat.answering.domain.question import CitedPlace, HistoryMessage
from chat.answering.domain.thread.follow_up import read_follow_up
from chat.answering.domain.thread.kinds import FollowUpKind, without_change_of_topic
from chat.answering.domain.thread.people import person_meant
from chat.answering.domain.thread.standalone import topic_of, with_topic
from corpus.language import lexemes

VAGUE = frozenset(lexemes(planning.VAGUE_WORDS))
ANNOUNCER = (
    HistoryMessage("user", "Who was the announcer at the station?"),
    HistoryMessage("assistant", "The announcer was a man named Mister Basavaraj. His window faced a brick wall."),
)
KARMA = (HistoryMessage("user", "What is karma?"), HistoryMessage("assistant", "Karma means action."))
QUOTE = CitedPlace(UUID(int=1), (0, 19), "Karma means action.")


def follow_up(text, thread=ANNOUNCER):
    words = lexemes(text)
    return read_follow_up(text, words, planning.own_words(words, VAGUE), thread)


@pytest.mark.parametrize(
    "text",
    [
        *("Tell me more.", "tell me more about it please", "Go on", "continue", "more", "And then?", "then what?"),
        *("What happened next?", "What happens after that?", "what's next", "Anything else?", "And the next verse?"),
        *("Can you elaborate on that?", "What else does she say?", "read on", "Please go on.", "ok, and then?"),
    ],
)
def test_asking_for_more_asks_for_what_comes_next(text):
    found = follow_up(text)
    assert found.kind == FollowUpKind.CONTINUE
    assert found.standalone == "What comes next after the answer to “Who was the announcer at the station?”"


@pytest.mark.parametrize(
    "text",
    [
        "Tell me more about karma.",
        "What happened next in Hastināpura?",
        "What is the next verse about?",
        "Go on strike?",
    ],
)
def test_a_question_that_names_something_does_not_only_ask_to_go_on(text):
    assert follow_up(text).kind != FollowUpKind.CONTINUE


def test_a_question_after_going_on_goes_back_to_the_one_before():
    thread = (*KARMA, HistoryMessage("user", follow_up("Tell me more", KARMA).standalone))
    assert follow_up("And then?", thread).standalone == "What comes next after the answer to “What is karma?”"
    assert follow_up("Why does it bind us?", thread).standalone == "Why does karma bind us?"


@pytest.mark.parametrize(
    ("text", "standalone"),
    [
        ("Who was he?", "Who was Mister Basavaraj?"),
        ("And how long did he do that job?", "How long did Mister Basavaraj do that job?"),
        ("what was his secret?", "What was Mister Basavaraj’s secret?"),
        ("Why?", "Who was the announcer at the station, and why?"),
        ("How so?", "Who was the announcer at the station, and how so?"),
        ("What did they say of it?", "Who was the announcer at the station? What did they say of it?"),
    ],
)
def test_a_follow_up_names_whom_it_means(text, standalone):
    assert follow_up(text).standalone == standalone


@pytest.mark.parametrize(
    ("text", "standalone"),
    [
        ("Tell me more about him, why did he stay?", "Why did Mister Basavaraj stay?"),
        ("Another question: what became of him later?", "What became of Mister Basavaraj later?"),
        ("And then? What happened to his trains?", "What happened to Mister Basavaraj’s trains?"),
        ("What became of him later?", "What became of Mister Basavaraj later?"),
        (
            "What happened to the passenger when he looked?",
            "Who was the announcer at the station? What happened to the passenger when he looked?",
        ),
    ],
)
def test_what_only_asks_to_go_on_is_left_out_before_a_question(text, standalone):
    assert follow_up(text).standalone == standalone


@pytest.mark.parametrize(
    ("text", "standalone"),
    [
        ("Ok, different thing. What were we to do at home?", "What were we to do at home?"),
        ("thanks. now a new question: who is my friend?", "who is my friend?"),
        ("And now for something else, why does the Lord say he comes?", "why does the Lord say he comes?"),
        ("Leave that. Tell me about the old washerwoman", "Tell me about the old washerwoman"),
        ("New topic, who was refused?", "who was refused?"),
    ],
)
def test_a_change_of_topic_that_is_said_leaves_the_thread(text, standalone):
    found = follow_up(text, KARMA)
    assert (found.kind, found.standalone, found.place) == (FollowUpKind.OWN, standalone, None)


@pytest.mark.parametrize("text", ["Something else that he said?", "Is there another question about it?", "Leave that."])
def test_a_question_about_the_same_topic_does_not_leave_the_thread(text):
    assert without_change_of_topic(text) == ""


def test_the_second_and_the_third_are_of_what_was_counted():
    thread, asked = (), "What was Krishna's first reply?"
    for text in ("and the second?", "what about the third?"):
        thread += (HistoryMessage("user", asked),)
        asked = follow_up(text, thread).standalone
    assert asked == "What was Krishna's third reply?"
    assert follow_up("And the second?", KARMA).standalone == "What is karma? And the second?"


def test_he_is_whom_the_last_question_asked_about_and_after_who_whom_its_answer_names():
    saw = (HistoryMessage("user", "What did Arjuna see?"), HistoryMessage("assistant", "Kṛṣṇa shows him the world."))
    assert follow_up("What did he do after that?", saw).standalone == "What did Arjuna do after that?"
    who = (HistoryMessage("user", "Who taught Arjuna?"), HistoryMessage("assistant", "It was Droṇa who taught him."))
    assert follow_up("Where did he live?", who).standalone == "Where did Droṇa live?"
    farmer = (HistoryMessage("user", "Who was the farmer?"), HistoryMessage("assistant", "A man near Mandya."))
    assert follow_up("How could he do better?", farmer).standalone == "How could the farmer do better?"


@pytest.mark.parametrize(
    ("text", "standalone"),
    [
        ("Why does it bind us?", "Why does karma bind us?"),
        ("What about bhakti?", "What is bhakti?"),
        ("and bhakti?", "What is bhakti?"),
        ("And in the Bible?", "What is karma in the Bible?"),
        ("Give me an example", "What is an example of karma?"),
        ("For example?", "What is an example of karma?"),
        ("And the moral of that?", "What is karma? And the moral of that?"),
        ("What is the difference?", "What is karma? What is the difference?"),
        ("Und warum?", "What is karma? Und warum?"),
    ],
)
def test_a_follow_up_keeps_the_topic(text, standalone):
    assert follow_up(text, KARMA).standalone == standalone


@pytest.mark.parametrize(
    ("question", "topic", "asked"),
    [
        ("What does the Gita say about anger?", "grief", "What does the Gita say about grief?"),
        ("Who was Arjuna?", "Bhīṣma", "Who was Bhīṣma?"),
        ("What is the ego?", "the self", "What is the self?"),
        ("What does the hat mean?", "the shoe", "What does the shoe mean?"),
        ("Why did Arjuna go to Kṛṣṇa?", "Duryodhana", ""),
        ("What does BG 2.13 say?", "BG 2.14", "What does BG 2.14 say?"),
        ("Where did he preach in Mecca?", "in Medina", "Where did he preach in Medina?"),
        ("Why does work bind us?", "worship", ""),
        ("What is happiness?", "the two other kinds", ""),
    ],
)
def test_another_topic_takes_the_place_of_the_last_one_only_where_that_is_plain(question, topic, asked):
    assert with_topic(question, topic) == asked


@pytest.mark.parametrize(
    "text",
    [
        "What did King Yudhishthira call the most wonderful thing on this earth?",
        "Why does karma bind us?",
        "So why does karma bind us?",
        "Which king refused to bow?",
        "Which is the first of the commandments?",
        "Are there gods in the Vedas?",
        "How can one control the mind?",
        "Who was Arjuna and what did he do?",
        "What should a man do when he is angry?",
        "What is the difference between karma and bhakti?",
        "so what's the difference between a killer and a holy man?",
        "Tell me about karma.",
    ],
)
def test_a_question_with_its_own_topic_stands_as_asked(text):
    assert follow_up(text).standalone == text


def test_a_change_of_topic_leaves_the_place_of_the_thread():
    thread = (KARMA[0], HistoryMessage("assistant", "Karma means action.", (QUOTE,)))
    assert follow_up("What is the highest form of love in the Gita?", thread).place is None
    assert follow_up("Why does it bind us?", thread).place.cited == (QUOTE,)


def test_the_thread_stands_where_it_last_quoted_something():
    refused = (HistoryMessage("user", "Who built Rome?"), HistoryMessage("assistant", "I found nothing.", ()))
    thread = (KARMA[0], HistoryMessage("assistant", "Karma means action.", (QUOTE,)), *refused)
    assert follow_up("Why?", thread).place.cited == (QUOTE,)
    assert follow_up("Why?", refused).place is None


def test_of_a_thread_that_a_client_sent_the_answer_is_to_be_recalled():
    sent = HistoryMessage("assistant", "Karma means action, and it binds. [1] [CW1:karma:2]")
    assert follow_up("Why?", (KARMA[0], sent)).place.recalled == "Karma means action, and it binds."
    short = (KARMA[0], HistoryMessage("assistant", "Action. [1]"))
    assert follow_up("Why?", short).place.recalled == "What is karma? Action."


def test_of_a_chain_of_follow_ups_the_topic_and_the_last_question_go_with_the_next():
    thread, asked = (), "How do the senses wander?"
    for text in ("And where do they go?", "And why do they?", "And what stops them?"):
        thread += (HistoryMessage("user", asked),)
        asked = follow_up(text, thread).standalone
    assert asked == "How do the senses wander? And why do they? And what stops them?"


@pytest.mark.parametrize(
    ("pronoun", "texts", "person"),
    [
        ("he", ["A small station called Ānandapura had an announcer, Mister Basavaraj."], "Mister Basavaraj"),
        ("she", ["Then one evening in Udupi my aunt Kamala lit an oil lamp."], "Kamala"),
        ("he", ["Then one evening in Udupi my aunt Kamala lit an oil lamp."], ""),
        ("she", ["Gowramma picked up a cracked one. Then she went to look at the sand."], "Gowramma"),
        ("he", ["Kṛṣṇa gives the example of King Janaka, who never left his throne."], "King Janaka"),
        ("he", ["He was at the small station.", "Who was Mister Basavaraj?"], "Mister Basavaraj"),
        ("he", ["He gave up glory.", "Why did Al-Ghazzali leave Baghdad?"], "Al-Ghazzali"),
        ("he", ["A farmer near Mandya once told me that he had two ways."], "the farmer"),
        ("she", ["Was Arjuna a coward?"], ""),
        ("he", ["how does arjuna's body react?", "The great bow Gāṇḍīva slips."], "Arjuna"),
        ("he", ["Yet Arjuna doubts all through the poem."], "Arjuna"),
        ("they", ["Arjuna sees his teachers."], ""),
    ],
)
def test_a_pronoun_means_the_last_person_who_agrees(pronoun, texts, person):
    assert person_meant(pronoun, texts) == person


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("What is dharma?", "dharma"),
        ("Who was the potter?", "potter"),
        ("What does the lecturer say about anger in chapter two?", "anger"),
        ("Why does work bind us?", ""),
    ],
)
def test_a_question_tells_its_topic_where_its_form_does(question, topic):
    assert topic_of(question) == topic
