import pytest

from curation.models import Fact, FactChange
from evaluation.facts.scan import measure_scan, scan_part

pytestmark = pytest.mark.django_db


def test_planted_pairs_are_found_and_nothing_stays():
    found = measure_scan(120, 20, 1, lambda number: None)
    assert (found.facts, found.planted) == (120, 20)
    assert {verdict: share.value for verdict, share in found.recall.items()} == dict.fromkeys(found.recall, 1.0)
    assert {verdict: share.value for verdict, share in found.precision.items()} == dict.fromkeys(found.precision, 1.0)
    assert not Fact.objects.exists()
    assert not FactChange.objects.exists()
    assert "| temporal evolution |" in "\n".join(scan_part(found, "a machine"))
