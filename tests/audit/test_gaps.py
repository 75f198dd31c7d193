import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.urls import reverse

from audit.domain.gaps import Gap, gap_of
from audit.gaps import gap_join, gap_mark, gaps_forget
from audit.models import KnowledgeGap
from tests.factories import a_lecture

REFUSED = Gap("refused", "Who built the ferry?", "thin_evidence", nearest=("A:1", "A:2"))


def join(gap=REFUSED, turn=None):
    with transaction.atomic():
        return gap_join(gap=gap, conversation_id=uuid.uuid4(), turn_id=turn or uuid.uuid4()).pk


def response(**changed):
    near = [{"address": f"A:{number}"} for number in (1, 1, 2, 3, 4)]
    return {
        "outcome": "refused", "reason": "thin_evidence", "standalone_question": "Who built it?", "nearest": near,
        "citations": [], **changed,
    }  # fmt: skip


def written(*sentences, **trace):
    told = [{"text": text, "withheld": withheld, "verdict": verdict} for text, withheld, verdict in sentences]
    return {"writing": [{"sentences": told}], **trace}


def test_a_refused_question_is_a_gap_with_its_three_nearest_passages():
    assert gap_of(response(), {}) == Gap(
        "refused", "Who built it?", "thin_evidence", nearest=("A:1", "A:2", "A:3")
    )  # fmt: skip


def test_an_unsupported_sentence_is_a_gap():
    answered = response(outcome="partially_grounded", reason=None, citations=[{"address": "B:1"}])
    trace = written(
        ("He did.", "", "supported"),
        ("He said “so”.", "SNIPPET_MISMATCH", "unsupported"),
        ("Elsewhere he did.", "uncited", "unsupported"),
        ("Marduk did.", "uncited", "unsupported"),
        elsewhere=[
            {"text": "Elsewhere he did.", "found_in": "A Talk (Garden)"},
            {"text": "Marduk did.", "found_in": ""},
        ],
    )
    assert gap_of(answered, trace) == Gap("sentence", "Who built it?", "gap", "Marduk did.", ("B:1",))
    both = written(("Marduk did.", "uncited", "unsupported"), ("Tiamat did.", "uncited", "unsupported"))
    assert gap_of(answered, both).sentence == "Marduk did.\nTiamat did."
    assert gap_of(answered, written(("He did.", "", "supported"))) is None
    assert gap_of(answered, {"writing": [{"outside": True}]}) is None
    assert gap_of(answered, {}) is None


@pytest.mark.django_db
def test_spellings_of_a_question_share_a_gap_that_names_the_last_turn():
    first = join()
    turn = uuid.uuid4()
    assert join(Gap("refused", "who built the FERRY", "outside_corpus"), turn) == first
    (gap,) = KnowledgeGap.objects.all()
    assert (gap.times, gap.question, gap.reason, gap.last_turn_id) == (2, REFUSED.question, "outside_corpus", turn)
    assert join(Gap("sentence", REFUSED.question, "gap", "Ballard did.")) != first


@pytest.mark.django_db(transaction=True)
def test_concurrent_turns_are_each_counted_once():
    def joined(_):
        try:
            return join()
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as several:
        assert len(set(several.map(joined, range(12)))) == 1
    assert KnowledgeGap.objects.get().times == 12


@pytest.mark.django_db
def test_deleting_turns_shrinks_a_gap_and_deletes_it_with_the_last():
    mine, other = uuid.uuid4(), uuid.uuid4()
    gap = join(Gap("sentence", "Who?", "gap", "Ann did.", ("A:1",)), other)
    join(Gap("sentence", "Who?", "gap", "Ben did.", ("A:2",)), mine)
    gaps_forget(turns={gap: 1}, turn_ids=[mine])
    (left,) = KnowledgeGap.objects.all()
    assert (left.times, left.sentence, left.nearest, left.last_turn_id) == (1, "", [], None)
    gaps_forget(turns={gap: 1}, turn_ids=[other])
    assert not KnowledgeGap.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("redact", "kept"), [("nothing", "Ask ann@example.org?"), ("details", "Ask [e-mail]?"), ("all", "[redacted]")]
)
def test_a_gap_is_redacted_as_configured(settings, redact, kept):
    settings.REDACT = redact
    join(Gap("sentence", "Ask ann@example.org?", "gap", "Ask ann@example.org?"))
    (gap,) = KnowledgeGap.objects.all()
    assert (gap.question, gap.sentence) == (kept, kept)
    assert "ann" not in gap.key


@pytest.mark.django_db
def test_a_closed_gap_opens_again_when_it_is_asked_again():
    gap = join()
    gap_mark(gap_id=gap, state="closed")
    assert join() == gap
    assert KnowledgeGap.objects.get().state == "open"


@pytest.mark.django_db(transaction=True)
def test_a_worker_is_told_of_new_and_reopened_gaps_only():
    from django_q.models import OrmQ

    gap = join()
    join()
    assert OrmQ.objects.count() == 1
    gap_mark(gap_id=gap, state="closed")
    join()
    assert OrmQ.objects.count() == 2


@pytest.mark.django_db
def test_auditors_see_the_questions_as_records(client):
    client.force_login(User.objects.create_superuser("boss"))
    a_lecture("He built it.", "It floats.", key="A")
    gap = join()
    join(Gap("refused", "Who baked?", "empty_outline"))
    join()
    listed = client.get(reverse("admin:audit_knowledgegap_changelist")).content.decode()
    assert 0 < listed.index(REFUSED.question) < listed.index("Who baked?")
    url = reverse("admin:audit_knowledgegap_change", args=[gap])
    page = client.get(url).content.decode()
    assert "A:1, A:2" in page
    assert "too thinly" in page
    assert client.post(url, {"question": "Changed?"}).status_code == 403
    assert client.get(reverse("admin:audit_knowledgegap_add")).status_code == 403
