"""The source that one of the best passages names is looked up, where its reader may find it."""

from dataclasses import replace

import pytest
from django.core.management import call_command

from chat.answering.ask import operator
from chat.answering.bridge import read_and_bridge
from chat.answering.domain.evidence.pool import FusedHit, Hit, Pool
from chat.answering.domain.modes import RULES
from chat.answering.domain.question import Mode, Question
from chat.answering.domain.viewer import Viewer
from chat.answering.stages.plan import plan_question
from chat.answering.stages.retrieve import load_candidates
from corpus.catalogue.titles import NAMESAKES, lectures_titled
from corpus.models import Chunk, Collection, Lecture
from corpus.selectors import serving_space, space_embedder

pytestmark = pytest.mark.django_db(transaction=True)

ASKED = "Where did the builder of the observatory on the northern ridge grow up?"
RIDGE = "The observatory on the northern ridge was built by Amara Lindqvist in nine years."
AMARA = "She was a child of fishermen, on an island without trees."


@pytest.fixture
def ridge(settings, tmp_path):
    """One lecture that names another, whose own words share nothing with the question."""
    settings.CALIBRATIONS_DIR = settings.BASE_DIR / "tests" / "calibrations"
    lectures(tmp_path, {"The Northern Ridge": RIDGE, "Amara Lindqvist (architect)": AMARA, "Bread": "Flour rests."})


def lectures(folder, texts, collection="talks"):
    for number, (title, text) in enumerate(texts.items()):
        path = folder / collection / f"{number}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
    call_command("import_lectures", str(folder / collection), collection=collection, verbosity=0)
    call_command("index", verbosity=0)


def bridged(text=ASKED, *, mode=Mode.AUTO, viewer=None, found=("The Northern Ridge",), capped=()):
    """Return the pool after reading what the lanes found: the passages of these titles."""
    viewer, space = viewer or operator(), serving_space()
    plan = plan_question(Question(text, viewer, mode))
    vectors = space_embedder(space).embed_questions([plan.standalone])
    chunks = Chunk.objects.filter(lecture__title__in=found).values_list("pk", flat=True)
    hits = [FusedHit(pk, 0.01, {"lexical": Hit(pk, "lexical", 1, 0.5)}, forced=True) for pk in chunks]
    pool = Pool(load_candidates(hits, vectors, space, 0), {"lexical": len(hits)}, capped=tuple(capped))
    return read_and_bridge(plan, pool, viewer, RULES[mode], space)


def titles(pool):
    return [candidate.passage.title for candidate in pool.candidates if candidate.is_bridge]


def test_the_source_that_a_passage_names_comes_into_the_pool_measured_and_unread(ridge):
    pool = bridged()
    assert titles(pool) == ["Amara Lindqvist (architect)"]
    assert pool.lane_counts == {"lexical": 1, "bridge": 1}
    (added,) = (candidate for candidate in pool.candidates if candidate.is_bridge)
    assert added.similarity is not None
    assert added.relevance is None


def test_what_the_pool_holds_already_is_marked_and_not_added_again(ridge):
    pool = bridged(found=("The Northern Ridge", "Amara Lindqvist (architect)"))
    assert len(pool.candidates) == 2
    assert titles(pool) == [], "it is read and kept by its own rank"


def test_what_a_passage_names_is_brought_back_where_the_cap_cut_it(ridge):
    cut = Chunk.objects.filter(lecture__title__in=["Amara Lindqvist (architect)", "Bread"])
    pool = bridged(capped=[FusedHit(chunk.pk, 0.001, {}, forced=False) for chunk in cut])
    assert titles(pool) == ["Amara Lindqvist (architect)"]
    assert [Chunk.objects.get(pk=hit.chunk_id).lecture.title for hit in pool.capped] == ["Bread"]


def test_instant_mode_and_who_asks_for_an_address_alone_follow_no_name(ridge):
    assert titles(bridged(mode=Mode.INSTANT)) == []
    plan = replace(plan_question(Question(ASKED, operator(), Mode.AUTO)), only_addresses=True)
    pool = read_and_bridge(plan, bridged(mode=Mode.INSTANT), operator(), RULES[Mode.AUTO], serving_space())
    assert titles(pool) == []


def test_nothing_hidden_withdrawn_or_left_out_by_the_question_is_followed(ridge, tmp_path):
    lectures(tmp_path, {"Amara Lindqvist": "Her letters."}, collection="archive")
    assert sorted(titles(bridged())) == ["Amara Lindqvist", "Amara Lindqvist (architect)"]
    talks = tuple(Collection.objects.filter(key="talks").values_list("pk", flat=True))
    assert titles(bridged(viewer=Viewer(collections=talks))) == ["Amara Lindqvist (architect)"]
    assert titles(bridged(viewer=Viewer(collections=talks, languages=("de",)))) == []
    Chunk.objects.filter(lecture__title="Amara Lindqvist (architect)").update(retrievable=False)
    assert titles(bridged(viewer=Viewer(collections=talks))) == []


def test_a_title_of_many_lectures_is_no_name(ridge, tmp_path):
    lectures(tmp_path, {f"Amara Lindqvist ({n})": f"Part {n}." for n in range(NAMESAKES)}, collection="series")
    assert "amara lindqvist" not in lectures_titled()
    assert titles(bridged()) == []


def test_titles_are_read_again_once_the_corpus_has_changed(ridge, tmp_path):
    assert "bread" in lectures_titled()
    assert "salt flats" not in lectures_titled()
    lectures(tmp_path, {"Salt Flats": "White to the horizon."}, collection="more")
    (found,) = lectures_titled()["salt flats"]
    assert Lecture.objects.get(pk=found).title == "Salt Flats"
