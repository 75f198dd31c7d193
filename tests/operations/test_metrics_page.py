import asyncio

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_q.models import OrmQ
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families as families

from audit.models import KnowledgeGap
from chat.answering.ask import operator
from chat.live.admission import AdmissionControl
from corpus.models import Collection, EmbeddingSpace, Import
from lectorium.ladder.calls import BUILTIN_DID, Call, note
from lectorium.ladder.selectors import ResolvedModel
from lectorium.threads import in_thread
from operations import metrics_page
from tests.chat.conftest import corpus  # noqa: F401 - a fixture
from tests.chat.turns import run_recorded

TOKEN = "a-token-of-some-length"


@pytest.fixture(autouse=True)
def nothing_is_kept():
    metrics_page.shared.forget()
    yield
    metrics_page.shared.forget()


def told(client, **headers):
    """The samples of a scrape, by name and labels."""
    response = client.get("/metrics", headers=headers)
    assert response.status_code == 200
    samples = [sample for family in families(response.content.decode()) for sample in family.samples]
    return {(sample.name, *sorted(sample.labels.values())): sample.value for sample in samples}


@pytest.mark.django_db
def test_a_scrape_reports_database_gauges(client):
    EmbeddingSpace.objects.create(model="m", width=3, state="serving", indexed_at=timezone.now())
    Import.objects.create(collection=Collection.objects.create(key="k", title="K"), state="failed")
    for number, state in enumerate(("open", "open", "closed")):
        KnowledgeGap.objects.create(key=str(number), kind="refused", question="Why the banyan?", state=state)
    OrmQ.objects.create(key="lectorium", payload="")
    found = told(client)
    assert found["lectorium_database_up",] == 1
    assert found["lectorium_imports_failed",] == 1
    assert found["lectorium_gaps_open",] == 2
    assert found["lectorium_jobs_waiting", "lectorium"] == 1
    assert 0 <= found["lectorium_index_age_seconds",] < 60
    assert b"banyan" not in client.get("/metrics").content


@pytest.mark.django_db
def test_a_scrape_makes_at_most_four_queries_and_the_next_uses_the_cache(client):
    with CaptureQueriesContext(
        connection,
    ) as first:
        told(client)
    with CaptureQueriesContext(connection) as second:
        told(client)
    assert (len(first), len(second)) == (4, 0)


@pytest.mark.django_db
def test_an_unreachable_database_is_reported_with_the_other_metrics(client, monkeypatch):
    def away():
        raise OperationalError("connection to server at 10.1.2.3 failed")

    monkeypatch.setattr(connection, "cursor", away)
    found = told(client)
    assert found["lectorium_database_up",] == 0
    assert ("lectorium_sockets",) in found
    assert ("lectorium_gaps_open",) not in found


@pytest.mark.django_db
def test_metrics_need_the_token(client, settings):
    settings.THIS_MACHINE_ONLY, settings.METRICS_TOKEN = False, TOKEN
    assert told(client, authorization=f"Bearer {TOKEN}")
    for wrong in ("", TOKEN, f"Basic {TOKEN}", "Bearer", f"Bearer {TOKEN}x", "Bearer ", "Bearer é"):
        assert client.get("/metrics", headers={"authorization": wrong}).status_code == 404
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"authorization": "Bearer "}).status_code == 404


@pytest.mark.django_db
def test_without_a_token_only_direct_local_clients_get_metrics(client, settings):
    assert told(client)
    for address in ("10.0.0.1", "", "unix:"):
        assert client.get("/metrics", REMOTE_ADDR=address).status_code == 404
    assert client.get("/metrics", headers={"x-forwarded-for": "127.0.0.1"}).status_code == 404
    settings.THIS_MACHINE_ONLY = False
    assert client.get("/metrics").status_code == 404


def value(name, **labels):
    return REGISTRY.get_sample_value(name, labels) or 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("corpus")
async def test_turns_are_counted_by_outcome_mode_reason_and_stage():
    def counts():
        return (
            value("lectorium_turns_total", outcome="grounded", mode="instant"),
            value("lectorium_turns_total", outcome="refused", mode="instant"),
            value("lectorium_turn_stage_seconds_count", stage="total"),
            value("lectorium_turn_stage_seconds_count", stage="plan"),
        )

    before = counts()
    await run_recorded("Who refused to bow to the newly made man?", await in_thread(operator))
    refused, _ = await run_recorded("How is sourdough bread baked?", await in_thread(operator))
    assert refused.outcome == "refused"
    assert [now - then for now, then in zip(counts(), before, strict=True)] == [1, 1, 2, 2]
    assert value("lectorium_refusals_total", reason=refused.reason) >= 1


async def test_running_and_waiting_turns_are_counted_separately():
    def load():
        return value("lectorium_turns_under_way") - before[0], value("lectorium_turns_waiting") - before[1]

    async def waits(before):
        waited.set()

    async def second():
        async with admission.working(waits):
            return load()

    before, waited = (value("lectorium_turns_under_way"), value("lectorium_turns_waiting")), asyncio.Event()
    admission = AdmissionControl(at_once=1, of_a_reader=2, of_an_address=2)
    async with admission.working(waits):
        task = asyncio.create_task(second())
        await waited.wait()
        assert load() == (1, 1)
    assert await task == (1, 0)
    assert load() == (0, 0)


def test_model_calls_are_counted_by_job_and_outcome_without_builtins():
    def calls(outcome):
        return value("lectorium_model_calls_total", job="title", outcome=outcome)

    before = calls("too_slow"), calls(BUILTIN_DID)
    note(Call(ResolvedModel("title", "vllm:m"), "too_slow", 0.0))
    note(Call(ResolvedModel("title"), BUILTIN_DID, 0.0))
    assert (calls("too_slow") - before[0], calls(BUILTIN_DID)) == (1, 0)
