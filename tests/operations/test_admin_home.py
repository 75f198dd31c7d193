"""The home page of admin: what waits for staff, each with its link, and only what one may see."""

import re
import uuid

import pytest
from django.contrib.auth.models import Group, User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from audit.domain.feedback import ANSWER
from audit.domain.gaps import Gap
from audit.gaps import gap_join
from audit.models import GapCluster, KnowledgeGap, RegressionCase
from corpus.models import Import
from curation.translations.services import translations_sync
from tests.audit.feedback_rows import a_turn, give
from tests.factories import a_collection, a_lecture, a_note, a_pin

pytestmark = pytest.mark.django_db


def home(client, group):
    user, _ = User.objects.get_or_create(username=group, is_staff=True)
    user.groups.set([Group.objects.get(name=group)])
    client.force_login(user)
    return client.get(reverse("admin:index")).content.decode()


def a_gap(question, times=1, **facts):
    cluster = GapCluster.objects.create(**facts)
    for _ in range(times):
        gap = gap_join(gap=Gap("refused", question, "unanswerable"), conversation_id=uuid.uuid4(), turn_id=uuid.uuid4())
    KnowledgeGap.objects.filter(pk=gap.pk).update(cluster=cluster)
    return cluster


def section(page, key):
    return re.search(rf'id="home-{key}".*?</section>', page, re.DOTALL)[0]


def test_an_editor_sees_what_waits_and_gets_there_by_a_link(client):
    a_lecture("It is a tree.", key="old")
    a_gap("Who built it?")
    often = a_gap("Who baked <b>?", times=3)
    a_gap("Who sank it?", state="dismissed")
    a_pin("What is it?", ["old:1"], state="in_review")
    a_note("A note", state="in_review")
    give(a_turn(), "not_helpful", target=ANSWER)
    give(a_turn(), "helpful", target=ANSWER)
    problem = Import.objects.create(
        collection=a_collection(), state="failed", files=[["a.vtt", 1]], problem="It burst."
    )
    Import.objects.create(
        collection=a_collection(), state="done", files=[["b.vtt", 1]], counts={"refused": 1},
        outcomes=[["b.vtt", "refused", 0, "has no times", "", ""], ["c.vtt", "imported", 1, "", "", ""]],
    )  # fmt: skip
    page = home(client, "editor")
    gaps = section(page, "gaps")
    assert "2 open gaps" in gaps
    assert gaps.index("Who baked &lt;b&gt;?") < gaps.index("Who built it?")
    assert reverse("admin:gap_pin", args=[often.pk]) in gaps
    assert "Who sank it?" not in gaps
    assert "2 entries in review" in section(page, "reviews")
    assert "1 to look at" in section(page, "feedback")
    imports = section(page, "imports")
    assert "2 imports with a problem" in imports
    assert "It burst." in imports
    assert "has no times" in imports
    assert "c.vtt" not in imports
    assert reverse("admin:corpus_import_change", args=[problem.pk]) in imports
    assert "1 lecture" in section(page, "corpus")
    assert "Not built yet" in section(page, "index")
    for url in set(re.findall(r'<a href="(/admin/[^"#]+)"', page)):
        assert client.get(url.replace("&amp;", "&")).status_code == 200, url


def test_questions_that_are_no_longer_answered_are_named(client):
    RegressionCase.objects.create(key="a", question="Who built it?", passed=False, outcome="refused")
    RegressionCase.objects.create(key="b", question="Who baked it?", passed=True)
    RegressionCase.objects.create(key="c", question="Who sank it?", passed=False, active=False)
    said = section(home(client, "reviewer"), "regressions")
    assert "1 of 2 cases no longer answered" in said
    assert "Who built it?" in said
    assert "Who sank it?" not in said


def test_an_auditor_sees_gaps_without_the_button_and_a_reader_no_panel(client):
    a_gap("Who built it?")
    page = home(client, "auditor")
    assert "Who built it?" in section(page, "gaps")
    assert "Pin an answer" not in page
    assert 'id="home-reviews"' not in page
    assert "home-panel" not in home(client, "reader")


def test_the_page_costs_as_many_queries_with_more_rows(client):
    def queries():
        with CaptureQueriesContext(connection) as captured:
            home(client, "editor")
        return len(captured)

    def fill(numbers):
        for number in numbers:
            a_gap(f"Who built number {number}?")
            a_pin(f"Question {number}?", state="in_review")

    home(client, "editor")
    fill(range(6))
    few = queries()
    fill(range(6, 20))
    assert queries() == few


def test_a_locale_that_was_not_compared_yet_is_not_called_translated(client, settings):
    settings.LOCALES = ("de",)
    assert "Everything is translated" in section(home(client, "editor"), "translations")
    a_lecture("It is a tree.")
    panel = section(home(client, "editor"), "translations")
    assert "Not compared yet" in panel
    assert "choose Translate now" in panel
    translations_sync(locales=settings.LOCALES)
    assert "1 text to translate" in section(home(client, "editor"), "translations")
