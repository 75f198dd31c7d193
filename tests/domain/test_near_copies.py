from dataclasses import replace
from uuid import UUID

from chat.answering.domain.evidence.near_copies import CopyRules, closed_up, copied_passages
from chat.answering.domain.evidence.pool import Candidate, Hit, Pool, PoolLimits
from corpus.domain.passage import Passage

RULES = CopyRules()
PLAIN, OVERLAPPING = RULES.alike, RULES.overlapping


def candidate(n, *, source=1, kind="lecture", text="", lane="dense", imported_s=None, place=None):
    passage = Passage(
        UUID(int=n), UUID(int=source), kind, f"a:{n}", "T", text or f"Text {n}.", "", 2 * n if place is None else place,
        imported_s=imported_s,
    )  # fmt: skip
    return Candidate(passage, 0.1, {lane: Hit(UUID(int=n), lane, n, 0.9)})


def copies(*candidates, alike=PLAIN, asks=None):
    return copied_passages(candidates, lambda one, other: alike, asks or [False] * len(candidates), RULES)


def test_of_a_lecture_that_says_a_thing_three_times_the_first_passage_stands():
    assert copies(*(candidate(n) for n in (1, 2, 3))) == [1, 2]
    assert copies(*(candidate(n) for n in (1, 2, 3)), alike=PLAIN - 0.01) == []


def test_a_chain_of_wordings_is_one_group_though_its_ends_differ():
    chain = [candidate(n) for n in (1, 2, 3)]
    alike = {(0, 1): 0.1, (0, 2): PLAIN, (1, 2): PLAIN}
    assert copied_passages(chain, lambda *pair: alike[tuple(sorted(pair))], [False] * 3, RULES) == [1, 2]


def test_passages_that_say_the_readers_question_again_count_once():
    assert copies(*(candidate(n) for n in (1, 2, 3)), alike=0.0, asks=[True, False, True]) == [2]


def test_independent_sources_may_agree_and_of_one_upload_two_do():
    assert copies(*(candidate(n, source=n) for n in (1, 2, 3))) == []
    assert copies(*(candidate(n, source=n, imported_s=100.0 * n) for n in (1, 2, 3))) == []
    assert copies(*(candidate(n, source=n, imported_s=100.0 + n) for n in (1, 2, 3))) == [2]


def test_neighbours_that_overlap_stand_unless_they_say_the_same_throughout():
    first = candidate(1, text="They lit the lamp. It burned all night.", place=1)
    second = candidate(2, text="It burned all night. In the morning they left.", place=2)
    assert copies(first, second, alike=OVERLAPPING - 0.01, asks=[True, True]) == []
    assert copies(first, second, alike=OVERLAPPING) == [1]
    apart = replace(second, passage=replace(second.passage, ordinal=7))
    assert copies(first, apart, alike=OVERLAPPING - 0.01) == [1]


def test_verses_with_one_refrain_and_what_was_looked_up_by_its_place_stand():
    assert copies(*(candidate(n, kind="verse") for n in (1, 2)), alike=1.0) == []
    for lane in ("address", "curated", "neighbourhood", "bridge"):
        assert copies(candidate(1), candidate(2, lane=lane), alike=1.0) == []


def test_copies_leave_the_pool_and_its_ranks_and_a_further_look_does_not_bring_them_back():
    one, two, three = (candidate(n) for n in (1, 2, 3))
    pool = Pool((one, two), {}).without_copies({two.passage.chunk_id})
    joined = pool.joined(Pool((two, three), {}), PoolLimits())
    assert [found.passage.chunk_id.int for found in joined.candidates] == [1, 3]
    assert [hit.chunk_id.int for hit in joined.copies] == [2]
    hits = [Hit(UUID(int=n), lane, n, 0.9) for lane in ("dense", "lexical") for n in (1, 2, 3)]
    left = closed_up(hits, {UUID(int=2)})
    assert [(hit.chunk_id.int, hit.rank) for hit in left] == [(1, 1), (3, 2)] * 2
