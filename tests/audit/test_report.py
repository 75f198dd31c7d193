import csv
import io
from datetime import UTC, datetime

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from audit import reporting
from audit.guards import metric_record
from audit.reporting import MODES, ReportRequest, report_of
from audit.rollups.services import click_count, counts_refresh
from chat.answering.domain.question import Mode
from operations.demo_accounts import demo_accounts_make
from tests.audit.recorded import NOW, a_few_days, draft, recorded, sentence, shown, told
from tests.e2e.hostile_words import HOSTILE

pytestmark = pytest.mark.django_db
PAGE, COVERAGE = "/audit/", "/audit/coverage.csv"
EVERY_TABLE = (
    "figures coverage refused caught-turns caught-sentences shown-unproved faithfulness proved partial inferred "
    "invented-markers cached quoted outcomes refusals withheld dropped latency guards guard-runs caught worst sources "
    "clicks by-mode by-model by-prompt by-collection by-language"
).split()


@pytest.fixture(autouse=True)
def today(monkeypatch):
    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return NOW.astimezone(tz or UTC)

    monkeypatch.setattr(reporting, "datetime", Clock)


@pytest.fixture
def auditor(client):
    user = User.objects.create_user("auditor", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_turnaudit"))
    client.force_login(user)
    return client


def rows(client, name, **asked):
    answer = client.get(f"/audit/{name}.csv", asked)
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.content.decode())))


@pytest.mark.parametrize("address", [PAGE, COVERAGE])
def test_visitors_are_asked_to_sign_in(client, address):
    answer = client.get(address)
    assert answer.status_code == 302
    assert answer["Location"] == f"{reverse('admin:login')}?next={address}"


@pytest.mark.parametrize("address", [PAGE, COVERAGE])
@pytest.mark.parametrize(("staff", "permission"), [(False, ""), (True, "view_knowledgegap"), (False, "view_turnaudit")])
def test_readers_and_editors_who_may_not_read_audits_are_refused(client, address, staff, permission):
    user = User.objects.create_user("somebody", is_staff=staff)
    user.user_permissions.add(*Permission.objects.filter(codename=permission))
    client.force_login(user)
    assert client.get(address).status_code == 403


def test_the_demo_auditor_may_read_the_report(client, settings, tmp_path):
    settings.STATE_DIR = tmp_path
    demo_accounts_make(get_user_model())
    seen = {}
    for name in ("reader", "editor", "auditor"):
        client.force_login(User.objects.get(username=name))
        linked = f'href="{PAGE}"' in client.get("/").content.decode()
        listed = f'href="{PAGE}"' in client.get("/admin/").content.decode()
        seen[name] = (client.get(PAGE).status_code, linked, listed)
    assert seen == {"reader": (403, False, False), "editor": (403, False, False), "auditor": (200, True, True)}


def test_the_page_shows_the_figures_counted_by_hand(auditor):
    a_few_days()
    text = auditor.get(PAGE, {"days": 7}).content.decode()
    assert "8 January 2026 to 14 January 2026" in text
    assert "11 turns recorded." in text
    assert "3 deleted since." in text
    assert "<strong>50.0 %</strong>" in text  # coverage
    assert "of 12 questions" in text
    assert "docs/results/escape.md" in text
    assert text.count('<svg class="chart"') == 13


def test_an_empty_database_still_has_a_report(auditor):
    text = auditor.get(PAGE).content.decode()
    assert "0 turns recorded" in text
    assert "No alert possible" in text
    assert "Nothing to count in this period." in text
    assert '<svg class="chart"' not in text
    assert all(auditor.get(f"/audit/{name}.csv").status_code == 200 for name in EVERY_TABLE)


def test_every_table_can_be_downloaded(auditor):
    a_few_days()
    metric_record(metric="article_flag_rate", hits=1, total=40, at=NOW)
    recorded(writing=[draft(sentence("unsupported", "uncited"))], candidates=[{"kept": True, "address": "a:1"}])
    click_count(source="a", day=NOW.date())
    text = auditor.get(PAGE, {"days": 7, "mode": "auto"}).content.decode()
    for name in EVERY_TABLE:
        if name == "by-collection":
            continue  # the tests' turns have no chunks
        assert f'href="/audit/{name}.csv?days=7&amp;mode=auto"' in text, name
        answer = auditor.get(f"/audit/{name}.csv", {"days": 7, "mode": "auto"})
        assert answer["Content-Type"] == "text/csv; charset=utf-8"
        assert answer["Content-Disposition"] == f'attachment; filename="lectorium-{name}-7-days-auto.csv"'
    assert auditor.get("/audit/nothing.csv").status_code == 404


def test_a_week_is_shown_by_day_and_a_month_by_week(auditor):
    a_few_days()
    assert [row["Days"] for row in rows(auditor, "coverage", days=7)][-1] == "2026-01-14/2026-01-14"
    month = rows(auditor, "coverage", days=30)
    assert [row["Days"] for row in month][-2:] == ["2026-01-05/2026-01-11", "2026-01-12/2026-01-14"]
    assert sum(int(row["Of"]) for row in month) == 14
    assert len(rows(auditor, "coverage", days=90)) == 14


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"days": "8"}, "must be one of 7, 30, 90 days"),
        ({"days": "x" * 99}, "must be one of 7"),
        ({"mode": "<b>"}, "must be one of instant"),
    ],
)
def test_invalid_parameters_are_explained(auditor, asked, told):
    page, table = auditor.get(PAGE, asked), auditor.get(COVERAGE, asked)
    assert page.status_code == table.status_code == 400
    assert told in page.content.decode()
    assert told in table.content.decode()
    assert "<b>" not in page.content.decode()


def test_two_consecutive_low_weeks_raise_an_alert_for_every_period(auditor):
    for days_ago in (4, 11):
        for _ in range(30):
            recorded(
                days_ago=days_ago, validation=told(0.5, 2), writing=[draft(sentence())], sentences=shown("partial")
            )
    for days in (7, 90):
        text = auditor.get(PAGE, {"days": days}).content.decode()
        assert "Faithfulness was below 80 % in 2 consecutive weeks" in text
    assert "below 80 % in" not in auditor.get(PAGE, {"mode": "thinking"}).content.decode()


def test_recovered_faithfulness_raises_no_alert(auditor):
    for days_ago, mean in ((18, 0.5), (11, 0.5), (4, 0.9)):
        for _ in range(30):
            recorded(days_ago=days_ago, validation=told(mean, 2), sentences=shown("supported"))
    assert "No alert. Faithfulness by week" in auditor.get(PAGE).content.decode()


def test_outcomes_link_to_the_same_audits_in_admin(auditor):
    a_few_days()
    page = report_of(ReportRequest(7, "auto"))
    [refused] = [row[0] for row in page.table("outcomes").rows if row[0].text == "refused"]
    assert "2 turn audits" in auditor.get(refused.href).content.decode()
    [first, *_] = page.caught.rows
    assert auditor.get(first[1].href).status_code == 200


def test_a_long_question_is_cut_on_the_page_but_not_in_the_csv(auditor):
    recorded(question="why " * 500, writing=[draft(sentence("unsupported", "uncited"))])
    assert auditor.get(PAGE).content.decode().count("why ") < 80  # among the worst, and among the caught
    assert rows(auditor, "caught")[0]["Question"] == "why " * 500


def test_hostile_text_is_escaped_on_the_page_and_in_csv(auditor):
    hostile = HOSTILE[:40]
    recorded("refused", reason=hostile, question=f"=cmd|{HOSTILE}", withheld=[{"reason": f"@{HOSTILE}"}],
             writing=[draft(sentence("unsupported", "uncited"), dropped=[f"+{HOSTILE}"])])  # fmt: skip
    recorded(hostile[:20])
    text = auditor.get(PAGE).content.decode()
    assert "<script>window" not in text
    assert "<img" not in text
    for name, column, sign in (("withheld", "Reason", "@"), ("dropped", "Reason", "+"), ("caught", "Question", "=")):
        [row] = rows(auditor, name)
        assert row[column].startswith(f"'{sign}")


def test_more_turns_need_no_more_queries(auditor, django_assert_num_queries):
    a_few_days()
    for _ in range(2):
        counts_refresh()
        # session, account, two of permissions, four for what changed, and seventeen of the report
        with django_assert_num_queries(25):
            auditor.get(PAGE)
        for days_ago in range(9):
            recorded(days_ago=days_ago, writing=[draft(sentence("unsupported", "uncited"))])


def test_report_modes_equal_question_modes():
    assert set(MODES) == {mode.value for mode in Mode}
