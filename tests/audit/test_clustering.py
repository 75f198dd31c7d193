import uuid
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from django.db import connection, transaction

from audit.clustering import clusters_merge, gap_place, gaps_cluster
from audit.domain.gaps import Gap
from audit.gaps import gap_join, gap_mark, gaps_forget
from audit.models import GapCluster, KnowledgeGap
from corpus.models import EmbeddingSpace
from lectorium.providers import registry

pytestmark = pytest.mark.django_db
WIDTH = 8


class DirectionEmbedder:
    """A vector for the words that a test names; other words count for nothing."""

    name = "directions"
    width = WIDTH

    def __init__(self, **directions):
        self.directions = {word: np.eye(WIDTH, dtype=np.float32)[place] for word, place in directions.items()}
        self.asked = 0

    def embed_questions(self, texts):
        self.asked += len(texts)
        vectors = [
            sum((self.directions.get(word.strip("?").lower(), 0) for word in text.split()), np.zeros(WIDTH))
            for text in texts
        ]
        return np.array([vector / np.linalg.norm(vector) for vector in vectors], dtype=np.float32)


@pytest.fixture
def embedder(models_are_guarded):
    model = DirectionEmbedder(ferry=0, boat=0, built=1, made=1, bread=2, baked=3, red=4)
    registry.replace_model("embedder", model)
    return model


@pytest.fixture
def space(embedder):
    return EmbeddingSpace.objects.create(model="", width=WIDTH, state="serving")


def ask(question, kind="refused", turn=None, **facts):
    with transaction.atomic():
        gap = Gap(kind, question, facts.pop("reason", "unanswerable"), **facts)
        return gap_join(gap=gap, conversation_id=uuid.uuid4(), turn_id=turn or uuid.uuid4())


def clusters():
    return {row.label: row for row in GapCluster.objects.described()}


def test_questions_of_one_meaning_share_a_cluster_with_its_label_and_counts(space):
    ask("Who built the ferry?")
    ask("Who made the boat?")
    ask("Who made the boat?", kind="sentence")
    ask("Who made the boat?", kind="sentence")
    ask("Who baked bread?")
    assert gaps_cluster() == 4
    found = clusters()
    assert set(found) == {"Who made the boat?", "Who baked bread?"}
    asked = found["Who made the boat?"]
    assert (asked.questions, asked.times, asked.state) == (3, 4, "open")
    assert asked.first_seen <= asked.last_seen
    assert next(iter(GapCluster.objects.described())).pk == asked.pk
    assert gaps_cluster() == 0


def test_only_new_questions_are_embedded_and_each_is_compared_in_one_query(space, embedder, django_assert_num_queries):
    for number in range(20):
        ask(f"Who built the ferry number {number}?")
    gaps_cluster()
    assert embedder.asked == 20
    late = ask("Who made the red boat?")
    (vector,) = embedder.embed_questions([late.question])
    with django_assert_num_queries(10):  # however many questions and clusters there are
        assert gap_place(gap_id=late.pk, vector=vector, space=space)
    assert GapCluster.objects.count() == 1


def test_near_identical_clusters_merge_and_the_older_one_stays(space):
    older = GapCluster.objects.create(space=space, centre=[1, 1, 0, 0, 0, 0, 0, 0])
    newer = GapCluster.objects.create(space=space, centre=[1, 1, 0, 0, 0, 0, 0, 0.4])
    for cluster in (older, newer):
        gap = ask(f"Question {cluster.pk}?")
        KnowledgeGap.objects.filter(pk=gap.pk).update(cluster=cluster, embedding=cluster.centre)
    ask("Who built the ferry?")
    gaps_cluster()
    assert list(GapCluster.objects.values_list("pk", flat=True)) == [older.pk]
    assert older.gaps.count() == 3


def test_what_is_dismissed_takes_in_new_questions_and_stays_dismissed(space):
    ask("Who built the ferry?")
    gaps_cluster()
    GapCluster.objects.update(state="dismissed")
    ask("Who made the boat?")
    gaps_cluster()
    (cluster,) = GapCluster.objects.described()
    assert (cluster.state, cluster.questions) == ("dismissed", 2)


def test_a_question_asked_again_reopens_an_answered_cluster(space):
    gap = ask("Who built the ferry?")
    gaps_cluster()
    gap_mark(gap_id=gap.pk, state="closed")
    GapCluster.objects.update(state="answered")
    gaps_cluster()
    assert GapCluster.objects.get().state == "answered"
    ask("Who built the ferry?")
    gaps_cluster()
    assert GapCluster.objects.get().state == "open"


def test_a_merged_cluster_keeps_its_pin_and_questions(space):
    one, other = (GapCluster.objects.create(space=space, centre=[1] * WIDTH) for _ in range(2))
    gap = ask("Who built the ferry?")
    KnowledgeGap.objects.update(cluster=other, embedding=[1] * WIDTH)
    assert clusters_merge(into=one, other=other).gaps.get().pk == gap.pk
    assert not GapCluster.objects.filter(pk=other.pk).exists()


def test_a_switch_of_the_embedding_space_keeps_clusters_together(space, embedder):
    ask("Who built the ferry?")
    ask("Who made the boat?")
    gaps_cluster()
    EmbeddingSpace.objects.update(state="retired")
    switched = EmbeddingSpace.objects.create(model="", width=WIDTH, dtype="binary", state="serving")
    embedder.asked = 0
    gaps_cluster()
    (cluster,) = GapCluster.objects.described()
    assert (cluster.space, cluster.questions, embedder.asked) == (switched, 2, 2)


def test_deleting_the_last_turn_deletes_the_cluster(space):
    turn = uuid.uuid4()
    gap = ask("Who built the ferry?", turn=turn)
    gaps_cluster()
    gaps_forget(turns={gap.pk: 1}, turn_ids=[turn])
    assert not GapCluster.objects.exists()


def test_without_an_index_or_with_redacted_questions_nothing_is_clustered(embedder, settings):
    ask("Who built the ferry?")
    assert gaps_cluster() == 0
    EmbeddingSpace.objects.create(model="", width=WIDTH, state="serving")
    settings.REDACT = "all"
    ask("Who baked bread?")
    gaps_cluster()
    assert GapCluster.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_open_one_cluster_a_meaning(space, embedder):
    gaps = [ask(text) for text in ("Who built the ferry?", "Who made the boat?", "Who built the boat?")]
    vectors = embedder.embed_questions([gap.question for gap in gaps])

    def placed(place):
        try:
            return gap_place(gap_id=gaps[place].pk, vector=vectors[place], space=space)
        finally:
            connection.close()

    with ThreadPoolExecutor(3) as workers:
        assert sum(workers.map(placed, [0, 1, 2, 0, 1, 2])) == 3
    assert GapCluster.objects.count() == 1
