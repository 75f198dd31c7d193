import pytest

from chat.answering.domain import refusals
from chat.answering.domain.query.small_talk import SmallTalk, small_talk_of


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        *((SmallTalk.GREETING, text) for text in ("Hi", "hello!", "Good morning", "Hi there!", "namaste 🙏", "नमस्ते")),
        *((SmallTalk.GREETING, text) for text in ("Guten Tag!", "Grüß Gott", "¡Buenos días!", "Bonjour à tous", "Olá")),
        *((SmallTalk.GREETING, text) for text in ("Hello everyone, good morning", "Здравствуйте!", "Ciao a tutti")),
        *((SmallTalk.THANKS, text) for text in ("Thank you.", "thanks a lot", "Danke schön", "धन्यवाद", "ok thanks")),
        *((SmallTalk.THANKS, text) for text in ("Thank you for your help", "Thanks for the answer!")),
        *((SmallTalk.GOODBYE, text) for text in ("Bye!", "Goodbye", "See you later", "Auf Wiedersehen", "До свидания")),
        *((SmallTalk.ABILITIES, text) for text in ("What can you do?", "How can you help me?", "What can I ask you?")),
        *((SmallTalk.ABILITIES, text) for text in ("help", "How does this work?", "Hi, what can you do?")),
        *((SmallTalk.MAKER, text) for text in ("Who made this?", "Who made you?", "Who are you?", "Are you an AI?")),
        *((SmallTalk.MAKER, text) for text in ("What is your name?", "What is Lectorium?", "are you chatgpt?")),
        *((SmallTalk.WELLBEING, text) for text in ("How are you?", "how are you doing today", "Hello, how are you?")),
        *((SmallTalk.OPINION, text) for text in ("What is your favourite colour?", "And what do you think of him?")),
        *(
            (SmallTalk.OPINION, text)
            for text in ("Do you like me?", "Which one do you prefer?", "Would you rather fly?")
        ),
    ],
)
def test_small_talk_is_known_by_its_kind(kind, text):
    assert small_talk_of(text) is kind
    assert refusals.small_reply(text).message == refusals.SMALL_TALK[kind]


@pytest.mark.parametrize(
    "text",
    [
        *("Hi, what is dharma?", "What is a greeting?", "Thanksgiving", "there", "🙏", "Thank God for what?"),
        *("What is karma?", "What do people think about death?", "Do you believe in God?", "What do you mean by maya?"),
        *("Who are you to judge another?", "How do you control the mind?", "What is your duty in battle?"),
        *("How are your senses restrained?", "Do your lectures say what love is?", "What does he like?"),
        *("Who made the world?", "What can I do about anger?", "How does karma work?", "Can you help me forgive him?"),
        *("Who wrote the Gita?", "What can you do when the mind wanders?", "How are you to act without desire?"),
    ],
)
def test_a_question_that_a_source_could_answer_is_no_small_talk(text):
    assert small_talk_of(text) is None
