import pytest
from django.core.management import CommandError

from evaluation.escape.handwritten.claims import HALVES, LABELS, SOURCES, read_half
from tests.evaluation.escape.handwritten.conftest import FERRY, PASSAGES, ROWS, write_set


@pytest.mark.parametrize("half", HALVES)
def test_each_half_has_four_hundred_claims_over_three_sources(half):
    claims = read_half(half).claims
    assert len(claims) >= 400
    assert {claim.label for claim in claims} == set(LABELS)
    assert {claim.source for claim in claims} == set(SOURCES)
    assert sum(claim.is_false for claim in claims) >= 200
    assert len({claim.kind for claim in claims if claim.is_false}) == 12


def test_the_halves_share_no_passage_and_no_claim():
    dev, unseen = (read_half(half).claims for half in HALVES)
    assert not {claim.passage for claim in dev} & {claim.passage for claim in unseen}
    assert not {claim.text for claim in dev} & {claim.text for claim in unseen}


def test_a_claim_comes_with_its_passage(small):
    half = read_half("dev")
    assert (half.claims[0].evidence, half.claims[0].source) == (FERRY, "encyclopedia")
    assert [claim.is_false for claim in half.claims] == [False, False, True, True]


def test_a_changed_set_has_another_digest(small):
    before = read_half("dev").digest
    write_set(small, ROWS[1:])
    assert read_half("dev").digest != before


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"label": "maybe"}, "line 1: 'label' must be one of supported"),
        ({"passage": "z"}, "line 1: passages.jsonl has no passage 'z'"),
        ({"claim": " "}, "line 1: 'claim' and 'kind' must not be empty"),
        ({"kind": 3}, "line 1: 'kind' must be a string"),
    ],
)
def test_a_malformed_row_is_reported_with_file_and_line(small, changed, reason):
    write_set(small, [ROWS[0] | changed, *ROWS[1:]])
    with pytest.raises(CommandError, match=reason):
        read_half("dev")


def test_unknown_sources_missing_files_and_one_sided_sets_are_refused(small):
    write_set(small, passages=[PASSAGES[0] | {"source": "rumour"}])
    with pytest.raises(CommandError, match="'source' must be one of lecture"):
        read_half("dev")
    write_set(small, ROWS[:2])
    with pytest.raises(CommandError, match="both true and false claims"):
        read_half("dev")
    (small / "dev.jsonl").unlink()
    with pytest.raises(CommandError, match="cannot be read"):
        read_half("dev")
