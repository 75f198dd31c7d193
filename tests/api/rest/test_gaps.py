"""Knowledge gaps over REST: for editors' tokens of access draft, and nobody else."""

import pytest
from django.contrib.auth.models import Permission

from audit.models import GapCluster, KnowledgeGap
from chat.api.services import token_create
from tests.api.conftest import OUTSIDE, ApiProgram, later

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def editor(people):
    """Bob as an editor's program."""
    people["bob"].user_permissions.add(Permission.objects.get(codename="view_gapcluster"))
    return ApiProgram(token_create(owner=people["bob"], name="x", access="draft")[1])


@pytest.fixture
async def gap(alice):
    """A gap of a question that Alice asked of what is hidden from Bob."""
    await alice.ask(OUTSIDE)
    cluster = await GapCluster.objects.acreate()
    await KnowledgeGap.objects.aupdate(cluster=cluster, nearest=["garden:1", "first-steps:1"])
    return cluster


async def test_an_editor_lists_and_reads_gaps_with_the_passages_that_they_may_read(editor, gap):
    page = (await editor.get("/api/v1/gaps")).json()
    [listed] = page["gaps"]
    assert (listed["question"], listed["times"], listed["state"], page["next"]) == (OUTSIDE, 1, "open", None)
    assert listed["nearest"] == ["first-steps:1"]
    assert (await editor.get(f"/api/v1/gaps/{gap.pk}")).json() == listed
    assert (await editor.get("/api/v1/gaps?state=answered")).json()["gaps"] == []
    assert (await editor.get("/api/v1/gaps?state=lost")).json()["where"] == "state"
    assert (await editor.get("/api/v1/gaps/00000000-0000-0000-0000-000000000007")).status_code == 404


async def test_a_gap_without_a_stored_question_is_listed_without_one(editor, gap):
    await KnowledgeGap.objects.aupdate(question="")
    assert (await editor.get("/api/v1/gaps")).json()["gaps"][0]["question"] == ""


async def test_neither_a_reader_nor_an_editors_token_that_only_reads_is_told_anything(editor, people, gap):
    reads = ApiProgram((await later(token_create, owner=people["bob"], name="y", access="read"))[1])
    reader = ApiProgram((await later(token_create, owner=people["alice"], name="z", access="publish"))[1])
    for program, what in ((reads, "--access draft"), (reader, "administrator")):
        for path in ("/api/v1/gaps", f"/api/v1/gaps/{gap.pk}", "/api/v1/gaps/00000000-0000-0000-0000-000000000007"):
            response = await program.get(path)
            assert (response.status_code, response.json()["code"]) == (403, "permission_denied")
            assert what in response.json()["detail"]
            assert "penicillin" not in response.content.decode()
