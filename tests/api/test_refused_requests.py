"""Every sentence that a request is refused with has a translation; its code is the same in every language."""

import ast
from importlib import import_module
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import override

from chat.answering.domain.writing_rules import FAULTS, REASONS, degraded_warning
from chat.api.domain.problems import OTHER, TITLES
from chat.conversations.local_words import local_message
from lectorium.providers import errors

REFUSALS = {"BadMessage", "BadScope", "NoSuchModel", "NoSuchSection", "ParseError", "PermissionDenied", "TurnFailed"}
OTHERS = [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def sentences():
    """(place, sentence) of each refusal that is raised with a text, a template or a constant; values are 7."""
    for path in sorted((Path(settings.BASE_DIR) / "chat").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
                name = getattr(node.exc.func, "id", "")
                text = text_of(node.exc.args[name == "TurnFailed"], path) if name in REFUSALS else ""
                if text:
                    yield f"{path.name}:{node.lineno}", text


def text_of(node, path):
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_":
        node = node.args[0]
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(part.value if isinstance(part, ast.Constant) else "7" for part in parts)
        case ast.Name(id=name) if name.isupper():
            module = ".".join(path.relative_to(settings.BASE_DIR).with_suffix("").parts)
            return str(getattr(import_module(module), name))
    return ""


@pytest.mark.parametrize("language", OTHERS)
def test_every_refusal_of_a_request_is_translated(language):
    found = dict(sentences())
    assert len(found) > 30
    with override(language):
        assert {place: text for place, text in found.items() if local_message(text) == text} == {}


@pytest.mark.parametrize("language", OTHERS)
def test_every_title_of_an_error_is_translated(language):
    with override(language):
        assert [title for title in (*TITLES.values(), OTHER) if local_message(title) == title] == []


def test_the_name_of_the_mode_and_the_reason_are_translated_in_a_warning():
    with override("de"):
        warning = local_message(degraded_warning("thinking", "low_confidence").message)
        assert warning == "Der Modus Gründlich konnte nicht die ganze Antwort geben (zu unsicher)."


def test_every_fault_of_a_provider_has_words():
    faults = {kind.fault for kind in vars(errors).values() if isinstance(kind, type) and hasattr(kind, "fault")}
    assert faults <= {*FAULTS, *REASONS}


@pytest.mark.django_db(transaction=True)
async def test_a_problem_is_told_in_the_callers_language_and_its_code_never_changes(alice):
    path = "/api/v1/search?q=banyan&limit=0"
    english = (await alice.get(path)).json()
    german = (await alice.call("GET", path, **{"Accept-Language": "de"})).json()
    assert (german["title"], german["detail"]) == (
        "Die Anfrage kann nicht gelesen werden",
        "limit muss eine Zahl von 1 bis 50 sein.",
    )
    assert english["detail"] == "The limit must be a number from 1 to 50."
    assert [german[name] for name in ("type", "status", "code", "where")] == [
        english[name] for name in ("type", "status", "code", "where")
    ]


@pytest.mark.django_db(transaction=True)
async def test_messages_of_the_framework_are_told_in_the_callers_language(alice):
    wrong = await alice.call("PUT", "/api/v1/ask", {}, **{"Accept-Language": "hi"})
    assert wrong.status_code == 405
    assert wrong.json()["detail"] == 'इस पते पर "PUT" नहीं चलता।'
