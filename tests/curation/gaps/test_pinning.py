import pytest

from audit.models import GapCluster
from curation.entries import CurationRefused, phrasings_of, references_of
from curation.gaps.pinning import cluster_pin
from curation.gaps.services import cluster_dismiss, cluster_reopen, clusters_join
from curation.models import PinnedQuestion
from tests.factories import a_pin

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_pin_is_filled_in_with_the_question_its_other_wordings_and_the_nearest_passages(corpus, asked, someone):
    asked("Who was too proud to bow?")
    cluster = asked("Who was too proud to bow?", "Who, too proud, would not bow?", nearest=("first-steps:1", "gone:9"))
    pin = cluster_pin(cluster=cluster, by=someone("editor"))
    assert (pin.question, pin.state, pin.language) == ("Who was too proud to bow?", "draft", "en")
    assert phrasings_of(pin) == ["Who, too proud, would not bow?"]
    assert references_of(pin) == ["first-steps:1"]
    assert cluster_pin(cluster=cluster, by=someone("reviewer")) == pin
    assert GapCluster.objects.get(pk=cluster.pk).pin == pin


def test_a_passage_that_the_editor_may_not_read_is_not_suggested(corpus, asked, someone):
    cluster = asked("Where is the compass?", nearest=("garden:1", "first-steps:1"))
    assert references_of(cluster_pin(cluster=cluster, by=someone("editor"))) == ["first-steps:1"]


def test_a_pin_that_exists_is_opened_and_a_withdrawn_one_is_not(corpus, asked, someone):
    pinned = a_pin("Who was too proud to bow?", ["first-steps:1"], state="draft")
    cluster = asked("Who was too proud to bow?")
    assert cluster_pin(cluster=cluster, by=someone("editor")) == pinned
    PinnedQuestion.objects.update(state="withdrawn")
    assert cluster_pin(cluster=cluster, by=someone("editor")) != pinned


def test_a_gap_is_dismissed_with_a_reason_and_opened_again(corpus, asked, someone):
    cluster, editor = asked("What is the weather?"), someone("editor")
    with pytest.raises(CurationRefused, match="Write why"):
        cluster_dismiss(cluster=cluster, because="  ", by=editor)
    cluster_dismiss(cluster=cluster, because="Not what the lectures are about.", by=editor)
    stored = GapCluster.objects.get()
    assert (stored.state, stored.dismissed_because, stored.decided_by) == (
        "dismissed", "Not what the lectures are about.", editor,
    )  # fmt: skip
    cluster_reopen(cluster=cluster, by=editor)
    assert GapCluster.objects.get().state == "open"


def test_gaps_with_different_pins_stay_apart_and_others_merge(corpus, asked, someone):
    one, other = asked("Who bowed?"), asked("Where does yoga begin?")
    assert one.pk != other.pk
    with pytest.raises(CurationRefused, match="at least two"):
        clusters_join(clusters=[one])
    for cluster in (one, other):
        cluster_pin(cluster=cluster, by=someone("editor"))
    with pytest.raises(CurationRefused, match="different pins"):
        clusters_join(clusters=list(GapCluster.objects.all()))
    GapCluster.objects.filter(pk=other.pk).update(pin=None)
    joined = clusters_join(clusters=list(GapCluster.objects.all()))
    assert (joined.pk, joined.gaps.count(), GapCluster.objects.count()) == (one.pk, 2, 1)
