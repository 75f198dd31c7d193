"""The page of a knowledge gap: what it shows, what it does, and who may."""

import pytest
from django.urls import reverse
from django_q.models import OrmQ

from audit.models import GapCluster, KnowledgeGap, RegressionCase
from curation.gaps.asking_again import cluster_ask_again
from curation.models import PinnedQuestion

pytestmark = pytest.mark.django_db(transaction=True)
STEPS = ("pin", "ask", "dismiss", "reopen")


@pytest.fixture
def sent(client, someone):
    """Send a request as a member of a group."""

    def send(group, method, url, **data):
        client.force_login(someone(group))
        return getattr(client, method)(url, data)

    return send


def page_of(cluster):
    return reverse("admin:audit_gapcluster_change", args=[cluster.pk])


def test_the_page_shows_questions_reasons_and_passages_that_the_editor_may_read(corpus, asked, sent):
    asked("Who <i>bowed</i> not?", "Who <i>bowed</i> not?", nearest=("first-steps:1", "garden:1", "gone:1"))
    cluster = asked("Who, then, <i>bowed</i> not?", kind="sentence", sentence="Marduk <b>bowed</b>.", reason="gap")
    page = sent("editor", "get", page_of(cluster)).content.decode()
    assert "Who &lt;i&gt;bowed&lt;/i&gt; not?" in page
    assert "Marduk &lt;b&gt;bowed&lt;/b&gt;." in page
    assert "Asked 3 times · 2 wordings" in page
    assert "Passages are near, but none of them answers it." in page
    assert "Only Iblis refused to bow" in page
    assert "The First Steps" in page
    assert "0:01" in page
    assert "silver compass" not in page


def test_the_list_is_sorted_by_count_and_searched_by_any_question(corpus, asked, sent):
    asked("Where does yoga begin?", "Where does yoga begin?")
    asked("Who baked bread?")
    url = reverse("admin:audit_gapcluster_changelist")
    listed = sent("editor", "get", url).content.decode()
    assert 0 < listed.index("Where does yoga begin?") < listed.index("Who baked bread?")
    assert "2 times" in listed
    found = sent("editor", "get", url, q="baked").content.decode()
    assert "Who baked bread?" in found
    assert "yoga begin" not in found
    assert "yoga begin" not in sent("editor", "get", url, kind="feedback").content.decode()
    assert "yoga begin" in sent("editor", "get", url, kind="refused", state__exact="open").content.decode()


def test_one_click_opens_a_pin_filled_in_and_publishing_it_leads_to_before_and_after(corpus, asked, sent):
    asked("Which spirit was excessively haughty?")
    cluster = asked("Which haughty spirit was excessively haughty?")
    opened = sent("reviewer", "post", reverse("admin:gap_pin", args=[cluster.pk]))
    pin = PinnedQuestion.objects.get()
    assert opened.url == reverse("admin:curation_pinnedquestion_change", args=[pin.pk])
    form = sent("reviewer", "get", opened.url)
    published = sent("reviewer", "post", opened.url, **submitted(form), _publish="Publish")
    assert published.status_code == 302
    assert published.url == page_of(cluster)
    assert sent("reviewer", "get", published.url)["Refresh"] == "2"
    cluster_ask_again(cluster_id=cluster.pk)
    after = sent("reviewer", "get", published.url)
    assert "Refresh" not in after
    said = after.content.decode()
    assert "2 of 2 questions are answered now. What is answered is kept as a regression case." in said
    assert "Answered, citing the pin" in said
    assert ">Done</a>" in said
    assert RegressionCase.objects.count() == 2


def submitted(response):
    """What the browser would send of the form as it was filled in."""
    form = response.context["adminform"].form
    sent = {}
    for name, field in form.fields.items():
        value = form.get_initial_for_field(field, name)
        sent[name] = "" if value is None else value
    return sent


def test_an_answer_that_quotes_what_an_editor_may_not_read_is_not_shown_to_them(corpus, asked, sent, someone):
    cluster = asked("Where is the silver compass?", nearest=())
    KnowledgeGap.objects.update(
        after={"outcome": "grounded", "reason": "", "answer": "It is under the almond tree.", "cited": ["garden:1"],
               "cites_pin": False, "answered": True}
    )  # fmt: skip
    assert "almond" not in sent("editor", "get", page_of(cluster)).content.decode()
    editor = someone("editor")
    editor.is_superuser = True
    editor.save()
    assert "almond" in sent("editor", "get", page_of(cluster)).content.decode()


def test_a_gap_is_dismissed_opened_again_and_asked_again(corpus, asked, sent):
    cluster = asked("What is the weather?")
    empty = sent("editor", "post", reverse("admin:gap_dismiss", args=[cluster.pk]), because=" ")
    assert "Write why this gap is dismissed" in sent("editor", "get", empty.url).content.decode()
    sent("editor", "post", reverse("admin:gap_dismiss", args=[cluster.pk]), because="Not <b>ours</b>.")
    page = sent("editor", "get", page_of(cluster)).content.decode()
    assert "Not &lt;b&gt;ours&lt;/b&gt;." in page
    assert "Pin an answer" not in page
    sent("editor", "post", reverse("admin:gap_reopen", args=[cluster.pk]))
    assert GapCluster.objects.get().state == "open"
    before = OrmQ.objects.count()
    sent("editor", "post", reverse("admin:gap_ask", args=[cluster.pk]))
    assert OrmQ.objects.count() == before + 1


def test_gaps_are_merged_from_the_list(corpus, asked, sent):
    one, other = asked("Who baked bread?"), asked("Where does yoga begin?")
    url = reverse("admin:audit_gapcluster_changelist")
    chosen = {"action": "merge", "_selected_action": [one.pk, other.pk]}
    assert sent("editor", "post", url, **chosen).status_code == 302
    assert GapCluster.objects.get().gaps.count() == 2


@pytest.mark.parametrize("step", STEPS)
def test_only_editors_and_reviewers_decide_and_only_by_post(corpus, asked, sent, step):
    cluster = asked("Who baked bread?", nearest=("first-steps:1",))
    url = reverse(f"admin:gap_{step}", args=[cluster.pk])
    assert sent("auditor", "post", url).status_code == 403
    assert sent("reader", "post", url).status_code in (302, 403)
    assert sent("editor", "get", url).status_code == 405
    assert GapCluster.objects.get().state == "open"
    gone = reverse(f"admin:gap_{step}", args=["00000000-0000-0000-0000-000000000000"])
    assert sent("editor", "post", gone).status_code == 404


def test_an_auditor_reads_a_gap_without_buttons_and_a_reader_does_not(corpus, asked, sent):
    cluster = asked("Who baked bread?")
    page = sent("auditor", "get", page_of(cluster)).content.decode()
    assert "Who baked bread?" in page
    assert "Pin an answer" not in page
    assert "gap-actions" not in page
    assert sent("reader", "get", page_of(cluster)).status_code in (302, 403)
