from dataclasses import replace
from uuid import UUID, uuid4

from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.evidence.pool import RRF_K, Candidate, Hit, PoolLimits, fuse
from corpus.domain.passage import Passage

CHUNKS = [UUID(int=n) for n in range(12)]
hits = st.lists(
    st.builds(
        Hit,
        chunk_id=st.sampled_from(CHUNKS),
        lane=st.sampled_from(["dense", "lexical", "address", "spelling"]),
        rank=st.integers(1, 60),
        value=st.floats(0, 1),
        wording=st.integers(0, 2),
    )
)


def test_the_answer_is_in_the_sentence_that_holds_its_middle():
    passage = Passage(CHUNKS[0], CHUNKS[1], "lecture", "a", "A talk", "One came. Two stayed here.", "", 0)
    read = Candidate(passage, 0.1, answerability=0.8, answer_span=(4, 20))
    assert [read.answers_within(span) for span in ((0, 9), (10, 26))] == [0.0, 0.8]
    unread = (replace(read, answer_span=None), replace(read, answerability=None))
    assert [span.answers_within((10, 26)) for span in unread] == [0.0, 0.0]


def test_a_chunk_found_by_two_lanes_outranks_one_found_by_either():
    both, one = uuid4(), uuid4()
    found, _ = fuse([Hit(one, "dense", 1, 0.9), Hit(both, "dense", 2, 0.8), Hit(both, "lexical", 2, 0.5)], PoolLimits())
    assert [f.chunk_id for f in found] == [both, one]
    assert found[0].fused == 2 / (RRF_K + 2)


def test_the_cap_never_cuts_an_address_or_an_early_lexical_hit():
    dense = [Hit(uuid4(), "dense", rank, 0.5) for rank in range(1, 21)]
    address, early, late = (
        Hit(uuid4(), "address", 40, 1),
        Hit(uuid4(), "lexical", 10, 1),
        Hit(uuid4(), "lexical", 50, 1),
    )
    kept, cut = fuse([*dense, address, early, late], PoolLimits(cap=5, forced=10))
    assert [f.chunk_id for f in kept] == [*(hit.chunk_id for hit in dense[:5]), early.chunk_id, address.chunk_id]
    assert [f.chunk_id for f in cut] == [*(hit.chunk_id for hit in dense[5:]), late.chunk_id]
    assert (cut[0].fused, cut[0].lanes) == (1 / (RRF_K + 6), {"dense": dense[5]})


def forced(found):
    return [hit.chunk_id for hit in found if hit.forced]


def test_a_wording_forces_ten_of_what_its_words_and_their_spelling_found():
    words = [Hit(uuid4(), "lexical", rank, 1) for rank in range(1, 9)]
    spelt = [Hit(uuid4(), "spelling", rank, 1) for rank in range(1, 9)]
    found = forced(fuse([*words, *spelt], PoolLimits(cap=0))[0])
    assert set(found) == {hit.chunk_id for hit in (*words[:5], *spelt[:5])}


def test_a_turn_forces_thirty_by_words_however_many_wordings_it_has():
    hits = [Hit(uuid4(), "lexical", rank, 1, wording) for wording in range(5) for rank in range(1, 11)]
    found = forced(fuse([*hits, Hit(uuid4(), "address", 1, 1)], PoolLimits(cap=0))[0])
    assert len(found) == 30 + 1
    assert {hit.chunk_id for hit in hits if hit.rank <= 6} < set(found)  # every wording its best


@given(hits, st.integers(0, 4), st.integers(0, 8))
def test_words_never_force_more_than_their_limits(found_hits, a_wording, a_turn):
    found, _ = fuse(found_hits, PoolLimits(cap=0, forced=a_wording, forced_a_turn=a_turn))
    by_words = [hit for hit in found if "address" not in hit.lanes]
    assert len(by_words) <= min(a_turn, a_wording * 3)


@given(hits)
def test_each_chunk_appears_once_in_falling_order_whatever_the_lanes_found(found_hits):
    found, _ = fuse(found_hits, PoolLimits(cap=100))
    assert len({f.chunk_id for f in found}) == len(found) == len({h.chunk_id for h in found_hits})
    assert [f.fused for f in found] == sorted((f.fused for f in found), reverse=True)


@given(hits, st.integers(0, 14))
def test_every_chunk_found_is_kept_or_cut_by_the_cap(found_hits, cap):
    kept, cut = ({hit.chunk_id for hit in part} for part in fuse(found_hits, PoolLimits(cap=cap)))
    assert not kept & cut
    assert kept | cut == {hit.chunk_id for hit in found_hits}


@given(hits, st.randoms())
def test_the_order_of_hits_does_not_matter(found_hits, random):
    shuffled = list(found_hits)
    random.shuffle(shuffled)
    first, second = fuse(found_hits, PoolLimits()), fuse(shuffled, PoolLimits())
    assert [[f.chunk_id for f in part] for part in first] == [[f.chunk_id for f in part] for part in second]
