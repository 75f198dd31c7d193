"""Records of JSON: one a line, or as an array, or an object that holds one."""

import json

import pytest

from corpus.importers.records import records
from corpus.importers.refusal import ImportRefused

ROWS = [{"_id": "a", "text": "One."}, {"_id": "b", "text": "Two."}]


def written(tmp_path, text, name="a.json"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ROWS),
        json.dumps(ROWS, indent=2),
        "\ufeff" + json.dumps({"rows": ROWS}),
        json.dumps({"version": 1, "tags": ["x"], "rows": ROWS}, indent=2),
    ],
)
def test_an_array_and_an_object_that_holds_one_are_rows(tmp_path, text):
    assert list(records(written(tmp_path, text))) == [("row 1", ROWS[0]), ("row 2", ROWS[1])]


def test_lines_may_end_in_json_too(tmp_path):
    text = "\n".join(map(json.dumps, ROWS))
    assert [place for place, _ in records(written(tmp_path, text))] == ["line 1", "line 2"]


def test_an_object_without_rows_is_one_row(tmp_path):
    assert list(records(written(tmp_path, json.dumps(ROWS[0], indent=2)))) == [("row 1", ROWS[0])]


def test_facts_around_the_rows_hold_for_each_that_does_not_say_otherwise(tmp_path):
    whole = {"title": "Wonder", "lecture": "w", "paragraphs": [{"text": "One."}, {"text": "Two.", "title": "Own"}]}
    read = [row for _, row in records(written(tmp_path, json.dumps(whole)))]
    assert [(row["lecture"], row["title"]) for row in read] == [("w", "Wonder"), ("w", "Own")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"text": "One."},]', "is not JSON"),
        ("[1]", "row 1 is not a JSON object"),
        ("12", "contains neither an array of rows nor an object with one"),
        ("[]", None),
        ("[" * 200_000, "nested too deeply"),
        ('[{"_id": ' + "9" * 5000 + "}]", "a number has too many digits"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path, text, said):
    if said is None:
        assert not list(records(written(tmp_path, text)))
        return
    with pytest.raises(ImportRefused, match=said):
        list(records(written(tmp_path, text)))
