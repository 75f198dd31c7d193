from uuid import UUID, uuid4

from hypothesis import given
from hypothesis import strategies as st

from chat.domain.pool import RRF_K, Hit, PoolLimits, fuse

CHUNKS = [UUID(int=n) for n in range(12)]
hits = st.lists(
    st.builds(
        Hit,
        chunk_id=st.sampled_from(CHUNKS),
        lane=st.sampled_from(["dense", "lexical", "address", "spelling"]),
        rank=st.integers(1, 60),
        value=st.floats(0, 1),
    )
)


def test_a_chunk_found_by_two_lanes_outranks_one_found_by_either():
    both, one = uuid4(), uuid4()
    found = fuse([Hit(one, "dense", 1, 0.9), Hit(both, "dense", 2, 0.8), Hit(both, "lexical", 2, 0.5)], PoolLimits())
    assert [f.chunk_id for f in found] == [both, one]
    assert found[0].fused == 2 / (RRF_K + 2)


def test_the_cap_never_cuts_an_address_or_an_early_lexical_hit():
    dense = [Hit(uuid4(), "dense", rank, 0.5) for rank in range(1, 21)]
    address, early, late = (
        Hit(uuid4(), "address", 40, 1),
        Hit(uuid4(), "lexical", 10, 1),
        Hit(uuid4(), "lexical", 50, 1),
    )
    kept = {f.chunk_id for f in fuse([*dense, address, early, late], PoolLimits(cap=5, forced=10))}
    assert address.chunk_id in kept
    assert early.chunk_id in kept
    assert late.chunk_id not in kept


@given(hits)
def test_each_chunk_appears_once_in_falling_order_whatever_the_lanes_found(found_hits):
    found = fuse(found_hits, PoolLimits(cap=100))
    assert len({f.chunk_id for f in found}) == len(found) == len({h.chunk_id for h in found_hits})
    assert [f.fused for f in found] == sorted((f.fused for f in found), reverse=True)


@given(hits, st.randoms())
def test_the_order_of_hits_does_not_matter(found_hits, random):
    shuffled = list(found_hits)
    random.shuffle(shuffled)
    first, second = fuse(found_hits, PoolLimits()), fuse(shuffled, PoolLimits())
    assert {f.chunk_id for f in first} == {f.chunk_id for f in second}
