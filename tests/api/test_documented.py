"""The OpenAPI document: whole, valid, and true of what is answered."""

import io
import re
from contextlib import redirect_stderr

import jsonschema
import pytest
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.validation import validate_schema

from chat.api import openapi, urls
from chat.api.domain.problems import TITLES, WHAT_TO_DO
from tests.api.conftest import OUTSIDE, ApiProgram

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_document_is_valid_and_made_without_a_warning():
    openapi.document.cache_clear()
    said = io.StringIO()
    with redirect_stderr(said):
        document = openapi.document()
    validate_schema(document)
    assert not GENERATOR_STATS._warn_cache
    assert not GENERATOR_STATS._error_cache
    assert not said.getvalue()
    described = {path.replace("{", "<").replace("}", ">") for path in document["paths"]}
    assert len(described) == len(
        [pattern for pattern in urls.urlpatterns if pattern.name not in {"api_schema", "api_docs", "api_nowhere"}]
    )


async def test_everybody_may_read_it():
    response = await ApiProgram().get("/api/v1/schema")
    assert (response.status_code, response.json()["openapi"]) == (200, "3.1.0")


async def test_every_field_of_an_answer_is_described_and_none_besides(alice):
    schemas = openapi.document()["components"]["schemas"]
    said = (await alice.ask("Who refused to bow to the newly made man?")).json()
    assert set(said) == set(schemas["AnsweredResponse"]["properties"]) == set(schemas["AnsweredResponse"]["required"])
    for part, name in (
        ("sentences", "AnswerSentence"),
        ("citations", "NumberedCitation"),
        ("references", "CitationReference"),
    ):
        described = schemas[name]["properties"]
        assert set(said[part][0]) == set(described)


async def test_what_is_answered_is_as_it_says(alice):
    document = openapi.document()

    def check(value, name):
        whole = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
        jsonschema.validate(value, whole, jsonschema.Draft202012Validator)

    for question in ("Who refused to bow to the newly made man?", OUTSIDE, "BG 2.47"):
        said = (await alice.ask(question)).json()
        check(said, "AnsweredResponse")
    check((await alice.get("/api/v1/search?q=banyan")).json(), "SearchResults")
    check((await alice.get("/api/v1/conversations")).json(), "ConversationList")
    check((await alice.get(f"/api/v1/conversations/{said['conversation']}")).json(), "ConversationBody")
    check((await alice.get("/api/v1/conversations/x")).json(), "ProblemBody")
    body = {"model": "lectorium-instant", "messages": [{"role": "user", "content": "BG 2.47"}]}
    check((await alice.post("/v1/chat/completions", body)).json(), "ChatCompletion")
    check((await alice.get("/v1/models")).json(), "ServedModes")


async def test_the_page_for_people_has_every_address_body_and_error_and_runs_no_script():
    response = await ApiProgram().get("/api/v1/docs")
    page, document = response.content.decode(), openapi.document()
    assert "script-src 'self'" in response["Content-Security-Policy"]
    assert not re.search(r"<script|style=|https?://(?!www.w3.org)", page)
    for path, methods in document["paths"].items():
        assert path in page
        assert all(f'id="{operation["operationId"]}"' in page for operation in methods.values())
    for name in document["components"]["schemas"]:
        assert f'id="body-{name}"' in page
    assert all(f'id="{code}"' in page for code in TITLES)
    anchors = set(re.findall(r'id="([^"]+)"', page))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= anchors, "a link that leads nowhere"


def test_every_code_of_an_error_has_a_title_and_what_to_do():
    assert TITLES.keys() == WHAT_TO_DO.keys()
