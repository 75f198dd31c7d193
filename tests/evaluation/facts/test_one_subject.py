import pytest

from curation.models import Fact
from evaluation.facts.one_subject import FORMS, measure_subject, subject_part

pytestmark = pytest.mark.django_db


def test_every_form_of_many_facts_is_scanned_and_nothing_stays():
    found = measure_subject(30, lambda number: None)
    left = {figures.form: figures.left for figures in found}
    assert left["one statement again and again"] == 1
    assert left["another number each"] == left["another thing each"] == 30
    assert [figures.form for figures in found] == list(FORMS)
    assert not Fact.objects.exists()
    assert "| one statement again and again | 30 |" in "\n".join(subject_part(found, "a verifier", "a machine"))
