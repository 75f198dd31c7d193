import csv
import io

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from audit.domain.metrics import Share
from audit.tables import Cell, Table, number, percent, share, words


def written(value):
    """The value of a cell after parsing its CSV."""
    table = Table("names", "Names", ("Name",), ((Cell("shown", value),),))
    return list(csv.reader(io.StringIO(table.as_csv, newline="")))[1][0]


@pytest.mark.parametrize("formula", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", "＝1"])
def test_formulas_become_text(formula):
    assert written(formula) == f"'{formula}"


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")))
def test_no_csv_text_starts_like_a_formula_and_none_is_lost(text):
    read = written(text)
    assert read.removeprefix("'") == text.removeprefix("'") or read == text
    assert not read.lstrip().startswith(("=", "+", "-", "@"))


def test_numbers_stay_numbers():
    assert written(-0.5) == "-0.5"
    assert number(1234).text == "1,234"


def test_nothing_counted_has_no_share():
    assert [cell.text for cell in share(Share(0, 0))] == ["0", "0", "–", "–", "–"]
    assert [cell.value for cell in share(Share(1, 2))][:3] == [1, 2, 0.5]


def test_a_name_is_shown_with_spaces_and_exported_as_recorded():
    assert words("thin_evidence").text == "thin evidence"
    assert words("thin_evidence").value == "thin_evidence"


@pytest.mark.parametrize(("language", "expected"), [("en", "9.9 %"), ("de", "9,9 %"), ("hi", "9.9 %")])
def test_a_share_is_rounded_and_written_as_the_language_writes_it(language, expected):
    with translation.override(language):
        assert percent(90 / 911) == expected
