import pytest

from chat.answering.domain import refusals
from chat.answering.domain.query.reply import ReplyKind
from chat.answering.domain.query.vagueness import Vagueness, vague_question


@pytest.mark.parametrize(
    "text",
    ["Why?", "And then?", "Tell me more.", "Explain", "Go on", "The lecture", "Which page?", "What does verse 5 say?"],
)
def test_a_question_without_a_subject_is_vague(text):
    assert vague_question(text).kind is Vagueness.NOTHING


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("What did he mean by that?", "he"),
        ("Tell me about it", "it"),
        ("What about the other one?", "the other one"),
        ("Can you explain the second one in more detail?", "the second one"),
        ("Are they safer?", "they"),
        ("Did it receive any awards?", "it"),
        ("What happened to the child?", "the child"),
        ("Why did the king do so, and what did the king say?", "the king"),
        ("What is the main purpose of that NASA mission?", "that nasa mission"),
        ("How much dividend does it give?", "it"),
    ],
)
def test_a_pronoun_without_an_antecedent_is_vague(text, phrase):
    vague = vague_question(text)
    assert (vague.kind, vague.phrase) == (Vagueness.REFERENT, phrase)
    assert f"“{phrase}”" in refusals.ask_back(text).message


@pytest.mark.parametrize(
    ("text", "topic"),
    [("karma?", "karma"), ("Krishna", "Krishna"), ("What about bhakti?", "bhakti"), ("the gunas", "gunas")],
)
def test_a_bare_topic_is_asked_back_about(text, topic):
    vague = vague_question(text)
    assert (vague.kind, vague.phrase) == (Vagueness.TOPIC, topic)
    reply = refusals.ask_back(text)
    assert (reply.kind, reply.message) == (ReplyKind.ASK_BACK, f"What would you like to know about {topic}?")


@pytest.mark.parametrize(
    "text",
    [
        "Who has a right to the work, but never to its fruits?",
        "So is it just heroes versus villains?",
        *(
            "What is karma?",
            "Tell me about karma",
            "Who am I?",
            "What is time?",
            "What should I do?",
            "Is there a God?",
        ),
        *("karma yoga", "Is the mind the same as the self?", "What did Krishna say to him?", "What does 2.20 tell us?"),
        *("Does karma follow us when it ripens?", "Is it wrong to be angry?", "What is it like to die?"),
        *("What does that word adhikara mean?", "How can you tell whether a thing is real?", "Who is Arjuna?"),
        "What did the monk ask of the king, at last?",
        "Should people try to sing when they are wrong?",
        *("Where does it say that souls never die?", "If souls return, why does she weep?", "What is love?"),
    ],
)
def test_a_question_that_names_its_subject_is_not_vague(text):
    assert vague_question(text) is None
