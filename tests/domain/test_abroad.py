"""Follow-ups in other languages than English."""

import pytest

from chat.answering.domain.question import HistoryMessage
from chat.answering.domain.thread.abroad import language_in_thread, leans_abroad
from chat.answering.domain.thread.follow_up import read_follow_up

GERMAN, SPANISH, HINDI = (
    (HistoryMessage("user", asked), HistoryMessage("assistant", "Arjuna let go his bow."))
    for asked in (
        "Warum legte Arjuna seinen Bogen nieder?", "¿Por qué dejó Arjuna su arco?", "अर्जुन ने अपना धनुष क्यों रखा?",
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("history", "asked"),
    [
        *((GERMAN, asked) for asked in ("Warum?", "Und was antwortet Krishna?", "Was sagt er dazu?", "Erzähl mehr.")),
        *((SPANISH, asked) for asked in ("¿Por qué?", "¿Qué dice él de eso?", "Cuéntame más.", "¿Quién era?")),
        *((HINDI, asked) for asked in ("क्यों?", "फिर क्या हुआ?", "वह इसके बारे में क्या कहते हैं?", "वह कौन था?")),
    ],
)  # fmt: skip
def test_a_follow_up_that_leans_is_searched_with_the_question_before_it(history, asked):
    assert leans_abroad(asked, history)
    assert read_follow_up(asked, (), (), history).standalone == f"{history[0].content} {asked}"


@pytest.mark.parametrize(
    ("history", "asked"),
    [
        (GERMAN, "Was bedeutet Dharma?"), (GERMAN, "Why did he put it down?"), (GERMAN, "And why?"),
        (SPANISH, "¿Qué significa dharma?"), (HINDI, "धर्म क्या है?"), (HINDI, "What is dharma?"),
    ],
)  # fmt: skip
def test_a_question_with_its_own_topic_or_in_english_is_left_to_itself(history, asked):
    assert not leans_abroad(asked, history)


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("Warum?", "de"),
        ("Und dann?", "de"),
        ("Why?", ""),
        ("Define bhakti", ""),
        ("What is dharma?", "en"),
        ("क्यों?", "hi"),
    ],
)
def test_a_question_too_short_to_tell_has_the_language_of_the_one_before_it(asked, language):
    assert language_in_thread(asked, GERMAN) == language
    assert language_in_thread("Warum?", ()) == ""
