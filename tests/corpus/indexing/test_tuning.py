"""What a search needs to look at for a recall is measured, stored and used."""

import pytest
from django.core.management import CommandError, call_command

from corpus.domain.nearness import NearnessRules, fewest_rows
from corpus.domain.scope import Scope
from corpus.indexing import nearest, tuning
from corpus.indexing.tuning import recall, space_tune
from corpus.models import ChunkVector, EmbeddingSpace
from lectorium import asking
from tests.corpus.indexing.random_space import random_space

pytestmark = pytest.mark.django_db
LIMIT = 10


def test_the_fewest_rows_that_reach_a_recall_are_chosen_and_no_more_are_measured():
    measured = iter([(60, 0.9), (100, 0.95), (150, 0.97), (200, 0.991), (300, 1.0)])
    assert fewest_rows(measured) == {"0.95": (100, 0.95), "0.99": (200, 0.991)}
    assert list(measured) == [(300, 1.0)]


def test_where_no_number_of_rows_suffices_the_most_that_was_tried_is_chosen():
    assert fewest_rows([(60, 0.5), (100, 0.96)]) == {"0.95": (100, 0.96), "0.99": (100, 0.96)}


def test_recall_counts_each_of_several_sentences_of_a_chunk():
    exact = [[(0.1, "a"), (0.2, "a"), (0.3, "b")]]
    assert recall([[(0.1, "a"), (0.3, "b")]], exact) == pytest.approx(2 / 3)
    assert recall(exact, exact) == 1.0


@pytest.mark.parametrize("dtype", ["halfvec", "binary"])
def test_a_tuned_space_is_searched_with_the_rows_that_reach_the_recall_asked_for(dtype, monkeypatch, settings):
    space = random_space(dtype)
    monkeypatch.setattr(nearest, "RULES", NearnessRules(exact_below=0, joined_below=0, depth=LIMIT, sentences=1))
    questions = space.vectors[:40] + space.vectors[40:80]
    space_tune(space=space, questions=questions, tell=print)
    space.refresh_from_db()
    (rows, reached) = space.tuned["chunkvector"]["0.95"]
    assert reached >= 0.95
    exact = nearest.search(ChunkVector, space, questions, Scope(), LIMIT, None)
    settings.RECALL = "0.95"
    assert recall(nearest.nearest_chunks(space, questions, Scope(), LIMIT), exact) == pytest.approx(reached)
    space.tuned["chunkvector"] |= {"0.95": [LIMIT, 0.0], "0.99": [rows, reached]}
    fewer = recall(nearest.nearest_chunks(space, questions, Scope(), LIMIT), exact)
    settings.RECALL = "0.99"
    assert fewer < recall(nearest.nearest_chunks(space, questions, Scope(), LIMIT), exact)


def test_a_binary_index_is_tried_beyond_what_one_scan_looks_at(monkeypatch):
    space, told = random_space("binary"), []
    monkeypatch.setattr(nearest, "RULES", NearnessRules(exact_below=0, joined_below=0, depth=LIMIT, most=20))
    monkeypatch.setattr(tuning, "TRIED", (20,))
    space_tune(space=space, questions=space.vectors[:20], tell=told.append)
    assert [line.rpartition(", ")[0] for line in told[:2]] == [
        "chunkvector: 20 rows looked at",
        "chunkvector: 2,000 rows looked at",  # there are 1,500
    ]
    space.refresh_from_db()
    assert space.tuned["chunkvector"]["0.99"] == [2_000, 1.0]


def test_a_space_that_has_outgrown_its_tuning_is_searched_by_its_size(monkeypatch):
    space, asked = random_space("halfvec"), []
    monkeypatch.setattr(nearest, "RULES", NearnessRules(exact_below=0, joined_below=0))
    monkeypatch.setattr(nearest, "search", lambda *values: asked.append(values[-1]))
    for rows in (1500, 10):
        space.tuned = {"chunkvector": {"rows": rows, "0.95": [70, 0.95], "0.99": [90, 0.99]}}
        nearest.nearest_chunks(space, space.vectors[:1], Scope(), LIMIT)
    assert asked == [90, NearnessRules().looked_at]


def test_a_small_space_is_searched_exactly_and_needs_no_tuning():
    space, told = random_space("halfvec"), []
    space_tune(space=space, questions=space.vectors[:2], tell=told.append)
    assert EmbeddingSpace.objects.get(pk=space.pk).tuned == {}
    assert told == [
        "chunkvector: 1,500 vectors are searched exactly",
        "sentencevector: 3,000 vectors are searched exactly",
    ]


@pytest.mark.parametrize(("text", "says"), [("one\n\none\n", "has 1 different"), (None, "cannot be read")])
def test_too_few_questions_are_an_error_that_says_what_to_do(tmp_path, text, says):
    file = tmp_path / "questions.txt"
    if text is not None:
        file.write_text(text)
    with pytest.raises(CommandError, match=says):
        call_command("index", f"--tune={file}")


def test_without_a_file_the_questions_of_readers_are_measured_with():
    assert asking.asked_questions(5) == []
    with pytest.raises(CommandError, match="Readers have asked 0"):
        call_command("index", "--tune")
