"""Whatever a program sends, it is answered in the shape of the API, and never with a fault of ours."""

import json

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings
from hypothesis import HealthCheck, given
from hypothesis import settings as rules
from hypothesis import strategies as st

from chat.answering import turn
from chat.answering.turn_result import TurnResult
from chat.models import Turn
from tests.api.conftest import program_of
from tests.domain.test_protocol import json_values

pytestmark = pytest.mark.django_db(transaction=True)

KEYS = ("question", "mode", "scope", "locale", "conversation", "history", "messages", "model", "stream", "q", "limit")
NAUGHTY = settings.DATA_DIR / "attacks" / "naughty_strings.json"
MODEL = {"model": "lectorium-instant"}
message = st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant", "system"]), "content": json_values})
bodies = st.one_of(
    json_values,
    st.dictionaries(st.sampled_from(KEYS), json_values, max_size=6),
    st.builds(lambda said: {**MODEL, "messages": said}, st.lists(message | json_values, max_size=4)),
    st.builds(lambda said: {"question": "x", "history": said}, st.lists(message | json_values, max_size=4)),
)


@pytest.fixture
def program(people, monkeypatch):
    """One whose every question is answered at once: what is tried here is what comes before."""

    async def take(turn, stream):
        yield TurnResult().ended(Turn.Outcome.NO_RETRIEVAL, message=turn.question.text)

    monkeypatch.setattr(turn, "answer_question", take)
    return program_of(people["alice"])


@async_to_sync
async def answered(program, path, body):
    response = await program.post(path, body)
    return response.status_code, response


def check(program, body):
    for path in ("/api/v1/ask", "/v1/chat/completions"):
        status, response = answered(program, path, body)
        assert status in (200, 400, 404), (status, body)
        if status != 200:
            assert response.json()["error"]["message"].endswith(".")


@rules(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(bodies)
def test_no_body_is_answered_with_a_fault(program, body):
    check(program, body)


@rules(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60))
def test_no_bytes_are_answered_with_a_fault(program, body):
    check(program, body)


def test_naughty_strings_are_questions_like_others_or_refused_in_a_sentence(program):
    if not NAUGHTY.is_file():
        pytest.skip("the evaluation data is not here")
    stored = json.loads(NAUGHTY.read_text(encoding="utf-8"))
    for text in ["a\0b", "\ud800", *stored[::12]]:
        check(program, {"question": text, "scope": None, **MODEL, "messages": [{"role": "user", "content": text}]})
        check(program, {"question": "x", "scope": text, "locale": text, "conversation": text, "mode": text})


async def test_an_address_with_a_nul_byte_is_refused_in_the_shape_of_the_api(alice):
    rest = await alice.get("/api/v1/lectures?q=%00")
    assert (rest.status_code, rest["Content-Type"], rest.json()["code"]) == (
        400, "application/problem+json", "bad_request",
    )  # fmt: skip
    shaped = await alice.get("/v1/models?q=%00")
    assert (shaped.status_code, shaped.json()["error"]["type"]) == (400, "invalid_request_error")
    page = await alice.get("/lectures/?q=%00")
    assert (page.status_code, page["Content-Type"]) == (400, "text/html; charset=utf-8")


async def test_an_error_is_problem_details_and_keeps_the_error_of_before(alice):
    response = await alice.get("/api/v1/search?q=x&limit=0")
    message = "The limit must be a number from 1 to 50."
    assert response.json() == {
        "type": "/api/v1/docs#bad_request", "title": "The request cannot be read", "status": 400, "detail": message,
        "code": "bad_request", "where": "limit", "error": {"code": "bad_request", "message": message},
    }  # fmt: skip
