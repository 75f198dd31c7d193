"""Sentences of ours are stored in English and shown in the reader's language."""

import re
from pathlib import Path

import pytest
from django.utils.translation import override

from chat.answering.domain import refusals
from chat.answering.domain.answer import check_warnings, stale_index
from chat.answering.domain.answer_counts import summary
from chat.answering.domain.messages import ONLY_ENGLISH
from chat.answering.domain.query.bad_input import bad_input
from chat.answering.domain.query.checks import BadMessage, check_question
from chat.answering.domain.writing_rules import degraded_warning
from chat.conversations.domain.masking import SAYS
from chat.conversations.local_words import local_message, with_local_messages
from chat.conversations.wordings import WORDINGS
from chat.live import admission, budgets, turn_runner

COUNTS = (
    *(f"claims_{kind}" for kind in ("total", "supported", "checked", "partial", "inferred", "unsupported")),
    *("claims_contradicted", "miscited", "uncited", "removed"),
)
ROOT = Path(__file__).resolve().parents[3]


def german(text):
    with override("de"):
        return local_message(text)


def test_english_is_left_as_it_is():
    with override("en"):
        assert all(local_message(wording.text) == wording.text for wording in WORDINGS)


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        (refusals.CLOSEST, "Ich bin nicht sicher, ob das Ihre Frage beantwortet. Am nächsten kommt:"),
        ("What would you like to know about dharma?", "Was möchten Sie über dharma wissen?"),
        ("searching 118 lectures and 31,102 verses", "durchsucht werden 118 Vorträge und 31.102 Verse"),
        ("1 lecture, only what you chose of them", "1 Vortrag, davon nur Ihre Auswahl"),
        ("2 lectures and 1 verse and 3 library passages", "2 Vorträge, 1 Vers und 3 Stellen der Bibliothek"),
        ("reading 1 passage", "1 Stelle wird gelesen"),
        ("3 sentences quoted from 2 places · 1 removed", "3 Sätze zitiert aus 2 Stellen · 1 entfernt"),
        (
            refusals.ASK_BACK + refusals.DID_YOU_MEAN,
            "Ich bin nicht sicher, wonach Sie fragen. Nennen Sie das Thema, die Person oder die Stelle, die Sie "
            "meinen. Meinten Sie eine von diesen Fragen?",
        ),
        (
            refusals.SMALL_TALK["abilities"] + " Here you find 8 lectures. Some of the lectures: “A”, “B”.",
            "Ich beantworte Fragen zu diesen Vorträgen und Texten in deren Worten und zeige, wo jeder Satz steht. "
            "Wenn sie nicht antworten, sage ich es. Hier finden Sie 8 Vorträge. Einige der Vorträge: “A”, “B”.",
        ),
        (
            "Chapter 2 of Bhagavad-gītā has 72 verses, so there is no BG 2.99.",
            "Kapitel 2 von Bhagavad-gītā hat 72 Verse, deshalb gibt es BG 2.99 nicht.",
        ),
        (
            "The sources disagree about rain: see [1] and [2] [3]. The editors know.",
            "Die Quellen widersprechen sich über rain: siehe [1] und [2] [3]. The editors know.",
        ),
        (ONLY_ENGLISH["en"], ONLY_ENGLISH["de"]),
        ("Words of a stranger {phrase} %s.", "Words of a stranger {phrase} %s."),
        ("", ""),
    ],
)
def test_a_stored_sentence_is_shown_in_the_language_of_its_reader(stored, shown):
    assert german(stored) == shown


def test_hindi_groups_numbers_as_india_does():
    with override("hi"):
        assert local_message("1,234,567 verses") == "12,34,567 श्लोक"


def test_what_the_rules_say_has_a_wording():
    """Fails where a sentence of a rule was changed and its wording was not."""
    said = [
        *(refusals.small_reply(text).message for text in ("Hello", "Thanks", "Who are you?", "What is your opinion?")),
        *(refusals.ask_back(text).message for text in ("Why?", "banyan?", "What did he mean by that?", "a", "?!")),
        bad_input("Что такое karma 什么是 dharma").message,
        bad_input("When the first man was made, every angel bowed. " * 8).message,
        *(warning.message for warning in check_warnings((), (), {})),
        *(degraded_warning("thinking", reason).message for reason in ("budget_reached", "deadline_passed")),
        summary((), dict.fromkeys(COUNTS, 2)),
        SAYS,
    ]
    for text in ("", "a" * 30):
        with pytest.raises(BadMessage) as error:
            check_question(text, 20)
        said.append(str(error.value))
    assert [text for text in said if german(text) == text] == []
    assert stale_index((), {}) == []


def test_every_status_and_fault_in_the_code_has_a_wording():
    told = re.compile(r'(?:\.status\(\s*"\w+",\s*|Fault\(\s*"\w+",\s*)"([^"]+)"')
    found = [text for path in (ROOT / "chat").rglob("*.py") for text in told.findall(path.read_text(encoding="utf-8"))]
    assert len(found) > 8
    assert set(found) <= {wording.text for wording in WORDINGS}


def test_what_a_reader_hears_while_many_ask_has_a_wording():
    said = [
        *(admission.OWN, admission.FROM_ONE_PLACE, admission.ALL),
        *(text.format(minutes=7) for text in (*budgets.QUESTIONS.said, *budgets.SEARCHES.said)),
        *(turn_runner.place_in_line(before) for before in (0, 2)),
        *(turn_runner.UNAVAILABLE, turn_runner.NOT_RECORDED),
    ]
    assert [text for text in said if german(text) == text] == []


def test_codes_quotes_and_the_words_of_editors_stay():
    response = {
        "outcome": "closest_passage",
        "reason": "unanswerable",
        "message": refusals.CLOSEST,
        "answer": f"{refusals.CLOSEST}\n\nStopped. [1]",
        "framing": "Stopped.",
        "sentences": [{"text": "Stopped."}],
        "warnings": [{"type": "OUT_OF_SIGHT", "message": SAYS, "details": {}}],
    }
    with override("de"):
        shown = with_local_messages(response)
        editors = {"type": "notice", "kind": "editors", "message": "Stopped.", "language": "en"}
        assert with_local_messages(editors) == editors
    assert shown["message"].startswith("Ich bin nicht sicher")
    assert shown["answer"] == f"{shown['message']}\n\nStopped. [1]"
    assert shown["warnings"][0]["message"].startswith("Ein Teil dieser Antwort")
    unchanged = ("outcome", "reason", "framing", "sentences")
    assert {name: shown[name] for name in unchanged} == {name: response[name] for name in unchanged}
    assert response["message"] == refusals.CLOSEST
