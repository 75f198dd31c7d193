"""Rows written by COPY are those that an INSERT would have written."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from corpus.models import Collection, Fingerprint, Section
from lectorium.bulk_copy import rows_copy
from tests.factories import a_lecture

pytestmark = pytest.mark.django_db


def test_copied_rows_are_those_that_were_given_tabs_lines_nulls_and_all():
    lecture = a_lecture("One paragraph.")
    given = [
        Section(lecture=lecture, ordinal=7, address="x:7", text="a\tb\nc\\N"),
        Section(lecture=lecture, ordinal=8, address="", text="", start=1.5),
    ]
    rows_copy(given)
    for row in given:
        stored = Section.objects.get(pk=row.pk)
        for field in Section._meta.concrete_fields:
            assert getattr(stored, field.attname) == getattr(row, field.attname), field.name


def test_nothing_to_copy_asks_nothing_of_the_database(django_assert_num_queries):
    with django_assert_num_queries(0):
        rows_copy([])


def test_a_copied_array_may_be_empty():
    (chunk,) = a_lecture("One paragraph.").chunks.all()
    rows_copy([Fingerprint(chunk=chunk, text_hash="x", bands=())])
    assert Fingerprint.objects.get().bands == []


def test_an_error_of_a_copy_is_djangos():
    key = uuid4()
    with pytest.raises(IntegrityError), transaction.atomic():
        rows_copy([Collection(pk=key, key="a", title="A"), Collection(pk=key, key="b", title="B")])
