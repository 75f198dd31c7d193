from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.evidence.pool import Candidate, FusedHit, Hit, Pool, PoolLimits
from chat.answering.domain.evidence.selection import (
    DiscardRules,
    on_scale,
    ranked,
    ranked_by_closeness,
    select,
    to_read,
)
from corpus.domain.passage import Passage

RULES = DiscardRules()


def candidate(n, *, kind="lecture", source=1, similarity=0.5, relevance=None, text="", **more):
    passage = Passage(
        chunk_id=UUID(int=n), source_id=UUID(int=source), kind=kind, address=f"a:{n}", title="T",
        text=text or f"text {n}", content_hash=str(n), ordinal=n,
    )  # fmt: skip
    return Candidate(passage, 0.01, similarity=similarity, relevance=relevance, **more)


def ids(candidates):
    return [candidate.passage.chunk_id.int for candidate in candidates]


candidates = st.lists(
    st.builds(
        candidate,
        st.integers(1, 40),
        kind=st.sampled_from(["lecture", "verse", "library"]),
        source=st.integers(1, 4),
        similarity=st.floats(0, 1),
        relevance=st.none() | st.floats(-9, 9),
        forced=st.booleans(),
    ),
    unique_by=lambda candidate: candidate.passage.chunk_id,
    max_size=40,
)


@given(candidates)
def test_every_candidate_is_kept_or_cut_by_a_named_rule(pool):
    selection = select(ranked(pool, RULES), RULES, wanted={"verse"})
    kept = {candidate.passage.chunk_id for candidate in selection.kept}
    assert kept | set(selection.cut) == {candidate.passage.chunk_id for candidate in pool}
    assert not kept & set(selection.cut)
    assert set(selection.cut.values()) <= {"prefloor", "duplicate", "per_source", "top_k"}
    assert len(kept) <= RULES.top_k


@given(candidates)
def test_verses_and_library_passages_keep_their_reserve_where_the_pool_has_them(pool):
    kept = select(ranked(pool, RULES), RULES, wanted={"verse"}).kept
    for kind, places in (("verse", 3), ("library", 2)):
        able = sum(
            candidate.passage.kind == kind and (candidate.forced or candidate.similarity >= RULES.prefloor)
            for candidate in pool
        )
        assert sum(candidate.passage.kind == kind for candidate in kept) >= min(places, able)


def test_a_verse_that_every_lecture_is_closer_than_stands_among_the_notes_of_the_answer():
    lectures = [candidate(n, source=n, relevance=20.0 - n) for n in range(1, 20)]
    others = [candidate(n, kind=kind, similarity=0.2) for n, kind in ((31, "verse"), (32, "verse"), (33, "library"))]
    kept = ids(select(ranked([*lectures, *others], RULES), RULES).kept)
    assert kept[:8] == list(range(1, 9))
    assert set(kept[8:11]) == {31, 32, 33}
    assert kept[11:] == list(range(9, 14))


@given(candidates)
def test_what_was_read_stands_before_what_was_not_but_where_a_place_is_reserved(pool):
    rules = replace(RULES, verse_reserve=0, library_reserve=0)
    kept = select(ranked(pool, rules), rules).kept
    read = [candidate.rerank_score is not None for candidate in kept]
    assert read == sorted(read, reverse=True)


def test_where_nothing_is_read_whole_the_closest_passage_stands_first():
    near, far = candidate(1, similarity=0.9), candidate(2, similarity=0.3, source=2)
    noise = candidate(3, similarity=0.0, source=3)
    order = ranked_by_closeness([far, noise, near], RULES)
    assert ids(select(order, RULES).kept) == [1, 2]
    assert [candidate.rerank_score is None for candidate in order] == [False, True, False]


def test_one_lecture_holds_at_most_its_share_and_planted_copies_do_not_displace_the_others():
    planted = [candidate(n, source=1, similarity=0.9, relevance=9.0) for n in range(1, 13)]
    true = [candidate(n, source=n, similarity=0.5, relevance=1.0) for n in range(20, 30)]
    selection = select(ranked([*planted, *true], RULES), RULES)
    assert len([n for n in ids(selection.kept) if n < 13]) == RULES.per_source
    assert set(range(20, 30)) <= set(ids(selection.kept))
    assert set(selection.cut.values()) == {"per_source"}


def test_a_lecture_that_the_question_names_is_not_held_to_its_share():
    pool = [candidate(n, similarity=0.9) for n in range(1, 13)]
    assert len(select(pool, RULES, is_named=lambda _: True).kept) == 12


def test_the_same_text_is_kept_once():
    twice = [candidate(1, text="Same  words.", similarity=0.6), candidate(2, text="same words.", similarity=0.9)]
    selection = select(twice, RULES)
    assert ids(selection.kept) == [2]
    assert selection.cut == {UUID(int=1): "duplicate"}


def test_noise_is_cut_by_the_prefloor_and_a_forced_hit_is_not():
    pool = [candidate(1, similarity=0.1), candidate(2, similarity=0.1, forced=True)]
    assert select(pool, RULES).cut == {UUID(int=1): "prefloor"}


def test_a_kind_that_was_asked_for_outranks_its_equal():
    pool = [candidate(1, kind="lecture", similarity=0.6), candidate(2, kind="verse", similarity=0.55)]
    assert ids(select(pool, RULES).kept) == [1, 2]
    assert ids(select(pool, RULES, wanted={"verse"}).kept) == [2, 1]


def test_the_rerank_score_weighs_relevance_against_closeness():
    pool = [candidate(1, similarity=0.9, relevance=0.0), candidate(2, similarity=0.5, relevance=4.0)]
    only = {1.0: [2, 1], 0.0: [1, 2]}
    for weight, order in only.items():
        rules = replace(RULES, relevance_weight=weight)
        assert ids(select(ranked(pool, rules), rules).kept) == order


def test_the_closest_are_read_and_no_more_than_there_is_time_for():
    pool = [candidate(n, similarity=n / 100) for n in range(1, 60)]
    assert ids(to_read(pool, replace(RULES, read=5))) == [59, 58, 57, 56, 55]


def test_a_second_look_adds_only_what_the_first_did_not_find():
    first = Pool((candidate(1),), {"dense": 1})
    second = Pool((candidate(1, relevance=5.0), candidate(2)), {"dense": 2, "lexical": 1})
    joined = first.joined(second, PoolLimits())
    assert ids(joined.candidates) == [1, 2]
    assert joined.candidates[0].relevance is None
    assert joined.lane_counts == {"dense": 3, "lexical": 1}


def test_further_looks_keep_to_the_cap_of_the_turn_and_what_was_read_stays():
    first = Pool(tuple(candidate(n, relevance=1.0 if n <= 3 else None) for n in range(1, 11)), {})
    found = Pool(tuple(candidate(n) for n in range(11, 21)), {})
    joined = first.joined(found, PoolLimits(cap=9))
    assert ids(joined.candidates) == [1, 2, 3, 4, 5, 11, 12, 13, 14]
    assert [hit.chunk_id.int for hit in joined.capped] == [6, 7, 8, 9, 10, 15, 16, 17, 18, 19, 20]


def test_what_one_look_cut_by_the_cap_and_another_keeps_is_not_cut():
    cut = [FusedHit(UUID(int=n), 0.01, {}, forced=False) for n in (2, 3)]
    joined = Pool((candidate(1),), {}, capped=tuple(cut)).joined(Pool((candidate(2),), {}), PoolLimits())
    assert ids(joined.candidates) == [1, 2]
    assert joined.capped == (cut[1],)


def test_a_further_look_never_loses_what_is_forced():
    named = candidate(40, forced=True, lanes={"address": Hit(uuid4(), "address", 1, 1.0)})
    first = Pool((*(candidate(n, relevance=1.0) for n in range(1, 11)), candidate(11, forced=True)), {})
    joined = first.joined(Pool((candidate(12), named), {}), PoolLimits(cap=10))
    assert {11, 40} < set(ids(joined.candidates))
    assert 12 not in ids(joined.candidates)


def test_words_force_no_more_in_all_looks_than_in_one():
    looks = [Pool(tuple(candidate(n, forced=True) for n in range(first, first + 20)), {}) for first in (1, 21, 41)]
    limits = PoolLimits(cap=0, forced_a_turn=30)
    joined = looks[0].joined(looks[1], limits).joined(looks[2], limits)
    assert ids(joined.candidates) == list(range(1, 31))


@given(candidates, candidates, st.integers(0, 30))
def test_joined_looks_hold_each_passage_once_and_no_more_than_the_cap_and_the_forced(one, other, cap):
    joined = Pool(tuple(one), {}).joined(Pool(tuple(other), {}), PoolLimits(cap=cap)).candidates
    assert len(set(ids(joined))) == len(joined) <= cap + sum(each.forced for each in joined)


def test_without_a_reader_the_prefloor_is_higher_and_a_forced_hit_is_still_exempt():
    pool = [candidate(1, similarity=0.3), candidate(2, similarity=0.46), candidate(3, similarity=0.1, forced=True)]
    assert ids(select(pool, RULES).kept) == [2, 1, 3]
    assert ids(select(pool, replace(RULES, read=0)).kept) == [2, 3]


def test_what_stands_at_an_address_keeps_its_order_and_its_place_whatever_is_closer():
    def addressed(n):
        lanes = {"address": Hit(UUID(int=n), "address", n, 1.0)}
        return candidate(n, similarity=n / 40, relevance=float(n), forced=True, lanes=lanes)

    verses = [candidate(n, kind="verse") for n in (41, 42)]
    kept = ids(select([*verses, *map(addressed, range(20, 0, -1))], DiscardRules(top_k=16)).kept)
    assert kept[:20] == list(range(1, 21))


def test_an_addressed_passage_leads_and_is_never_cut():
    addressed = candidate(7, similarity=0.0, forced=True, lanes={"address": Hit(uuid4(), "address", 1, 1.0)})
    assert ids(select([candidate(1, similarity=0.9), addressed], RULES).kept) == [7, 1]


MAP = ((0.0, 0.0), (0.30, 0.18), (0.40, 0.45), (1.0, 1.0))  # of a space in which unrelated passages lie closer


def test_where_the_space_has_a_map_the_floors_cut_by_the_reference_scale():
    pool = on_scale([candidate(n, similarity=near) for n, near in ((1, 0.29), (2, 0.31), (3, 0.41))], MAP)
    assert ids(select(pool, RULES).kept) == [3, 2]
    assert ids(to_read(pool, RULES)) == [3, 2]
    assert ids(select(pool, replace(RULES, read=0)).kept) == [3]


def test_where_the_space_has_no_map_or_a_passage_no_vector_nothing_is_put_on_the_scale():
    pool = [candidate(1, similarity=0.2), candidate(2, similarity=None)]
    assert on_scale(pool, ()) == tuple(pool)
    assert [candidate.reference_similarity for candidate in on_scale(pool, MAP)] == [pytest.approx(0.12), None]
    assert ids(select(on_scale(pool, MAP), RULES).kept) == []


@given(candidates)
def test_a_map_changes_what_the_floor_cuts_and_never_the_order(pool):
    free = replace(RULES, prefloor=0.0)
    scaled = on_scale(pool, MAP)
    assert ids(select(ranked(scaled, free), free).kept) == ids(select(ranked(pool, free), free).kept)
    assert ids(to_read(scaled, free)) == ids(to_read(pool, free))


def bridge(n, **more):
    return candidate(n, lanes={"bridge": Hit(UUID(int=n), "bridge", 1, 0.1)}, source=n, **more)


def test_a_source_that_a_passage_names_is_kept_behind_the_first_eight_however_far_it_is_from_the_question():
    pool = ranked([candidate(n, relevance=9.0 - n, source=n) for n in range(1, 21)], RULES)
    kept = ids(select([*pool, bridge(90, similarity=0.02)], RULES).kept)
    assert kept == [1, 2, 3, 4, 5, 6, 7, 8, 90, 9, 10, 11, 12, 13, 14, 15]


def test_so_many_bridges_are_kept_and_one_that_ranks_by_itself_stays_where_it_ranks():
    pool = [candidate(n, relevance=9.0 - n, source=n) for n in range(1, 21)]
    pool += [bridge(50, similarity=0.9, relevance=20.0), *(bridge(n, similarity=0.02) for n in range(91, 95))]
    kept = ids(select(ranked(pool, RULES), RULES).kept)
    assert kept[0] == 50
    assert [n for n in kept if n > 90] == [91, 92]
    assert len(kept) == RULES.top_k
    none = replace(RULES, bridges=0)
    assert ids(select(ranked(pool[:20], none), none).kept) == list(range(1, 17))
