"""Schemathesis asks the running application by its own OpenAPI document: no failure of ours, no answer unlike it.

Once with ids and cursors of its own invention, and once with those of what is there.
"""

import re
import subprocess
import sys

import pytest
from django.contrib.auth.models import Permission

from audit.models import GapCluster, KnowledgeGap
from chat.api.domain.cursors import ListPosition, cursor_of
from chat.api.services import token_create
from corpus.models import Lecture, Work
from tests.api.conftest import OUTSIDE, QUESTION, ApiProgram, later
from tests.live_server import LiveServer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

EXAMPLES = 40
# What JSON Schema cannot say: that the last user message holds the question, and which cursors a list gave.
UNSAID = "positive_data_acceptance"
KEY = "00000000-0000-0000-0000-000000000007"
LISTS = ("/conversations", "/lectures", "/works", "/gaps")


@pytest.fixture
def editor(people, settings, corpus):
    """Bob's program, as an editor, with access to everything that the document describes."""
    limits = ("QUESTIONS", "SEARCHES")
    for limit in (f"{what}_OF_{whom}" for what in limits for whom in ("A_READER", "AN_ADDRESS", "THE_SITE")):
        setattr(settings, limit, 0)
    settings.API_PER_MINUTE = 100_000
    people["bob"].user_permissions.add(Permission.objects.get(codename="view_gapcluster"))
    return ApiProgram(token_create(owner=people["bob"], name="fuzz", access="draft")[1])


async def test_whatever_is_sent_is_answered_as_the_document_says(editor, tmp_path, record_property):
    config = '[[operations]]\ninclude-name = "GET /v1/models/{name}"\nparameters = { name = "lectorium-auto" }\n'
    run = await fuzzed(editor, tmp_path, config, "--exclude-checks", UNSAID)
    record_property("examples", EXAMPLES)
    record_property("invented", figures(run.stdout))
    assert run.returncode == 0, run.stdout[-6000:]


async def test_requests_for_what_is_there_are_answered_as_the_document_says(editor, tmp_path, record_property):
    asked = [(await editor.ask(question)).json() for question in (QUESTION, OUTSIDE)]
    run = await fuzzed(editor, tmp_path, await later(config_for, *asked))
    record_property("present", figures(run.stdout))
    assert run.returncode == 0, run.stdout[-6000:]


def config_for(turn, other):
    """The configuration with ids of what is there for every parameter; `other` is what may be deleted."""
    cluster = GapCluster.objects.create()
    KnowledgeGap.objects.update(cluster=cluster)
    present = {
        "turn_id": turn["id"],
        "gap_id": cluster.pk,
        "lecture_id": Lecture.objects.get(key="first-steps").pk,
        "work_id": Work.objects.get().pk,
        "conversation_id": turn["conversation"],
        "name": "lectorium-auto",
    }
    lines = [f'{name} = "{value}"\n' for name, value in present.items()]
    for path in LISTS:
        lines.append(part(f"GET /api/v1{path}", cursor=cursor_of(ListPosition("2026-01-01T00:00:00+00:00", KEY))))
    for source in ("lecture", "work"):
        path = f"/api/v1/{source}s/{{{source}_id}}/sections"
        lines.append(part(f"GET {path}", cursor=cursor_of(ListPosition("0", KEY))))
    lines.append(part("DELETE /api/v1/conversations/{conversation_id}", conversation_id=other["conversation"]))
    expected = f"checks.{UNSAID}.expected-statuses = "
    ask = f'[[operations]]\ninclude-name = "POST /api/v1/ask"\n{expected}["2xx", "404", "422"]\n'
    complete = f'[[operations]]\ninclude-name = "POST /v1/chat/completions"\n{expected}["2xx", "400", "404"]\n'
    return "".join(["[parameters]\nn = 1\n", *lines, ask, complete])


def part(operation, **parameters):
    written = ", ".join(f'{name} = "{value}"' for name, value in parameters.items())
    return f'[[operations]]\ninclude-name = "{operation}"\nparameters = {{ {written} }}\n'


async def fuzzed(program, folder, config, *more):
    (folder / "schemathesis.toml").write_text(config, encoding="utf-8")
    with LiveServer() as server:
        return await later(
            lambda: subprocess.run(
                [
                    sys.executable, "-m", "schemathesis.cli", "--config-file", str(folder / "schemathesis.toml"), "run",
                    f"{server.url}/api/v1/schema", "-H", f"Authorization: Bearer {program.secret}", "--no-color",
                    "--phases", "coverage,fuzzing", "--max-examples", str(EXAMPLES), "--seed", "1", *more,
                ],
                capture_output=True, text=True, check=False, cwd=folder,
            )
        )  # fmt: skip


def figures(output):
    """{"operations", "cases"} of a run."""
    return {
        "operations": int(re.search(r"Tested: (\d+)", output)[1]),
        "cases": int(re.search(r"(\d+) generated", output)[1]),
    }
