import json
from pathlib import Path

import pytest

from training.build import lectures, perturbed, reading, sources, written
from training.build.lectures import golden_lectures, lecture_split

SENTENCES = (
    "The teacher said that one must be still before one can see. Nobody in the hall of {place} answered him then. "
)


class FewWords:
    """A lexicon of one name, which loads no model."""

    kin: dict[str, list[str]] = {}

    def other_name(self, name, near, rng):
        return "Nobody"


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Four lectures: one with a golden claim, another with a golden question."""
    paragraphs = {"seen": "Boston", "claimed": "Chicago", "asked": "Madras", "told": "London"}
    write(
        tmp_path / "lectures/vivekananda/paragraphs.jsonl",
        [
            {"address": f"{name}:{n}", "lecture": name, "text": SENTENCES.format(place=place) * 6 + f"Number {n}."}
            for name, place in paragraphs.items()
            for n in range(3)
        ],
    )
    write(tmp_path / "lectures/william_james/paragraphs.jsonl", [])
    write(tmp_path / "golden/claims_dev.jsonl", [{"address": "claimed:1"}, {"address": "John 11:39"}])
    write(
        tmp_path / "golden/dev.jsonl",
        [{"gold": ["asked:0"], "gold_alternatives": [["told:2"]]}, {"gold": None}, {"question": "what of the moon?"}],
    )
    monkeypatch.setattr(perturbed, "lexicon", lambda data: FewWords())
    return tmp_path


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_golden_lectures_have_golden_claims_answers_or_alternative_answers(data):
    assert golden_lectures(data) == {"claimed", "asked", "told"}
    assert lecture_split(data, "claimed") == "test"
    assert lecture_split(data, "seen") != "test"


def test_lectures_of_natural_questions_are_not_trained_on(data, monkeypatch, tmp_path):
    write(tmp_path / "natural/dev.jsonl", [{"source": "real-seen"}, {"source": "sample-01"}, {"question": "off topic"}])
    monkeypatch.setattr(lectures, "NATURAL", tmp_path / "natural")
    lectures.natural_lectures.cache_clear()
    assert lectures.natural_lectures() == {"seen"}
    assert lecture_split(data, "seen") == "test"
    lectures.natural_lectures.cache_clear()


def test_sentences_of_golden_lectures_are_not_perturbed(data, monkeypatch):
    rows = list(perturbed.perturbed_lectures(data, 1))
    assert rows
    assert not [row for row in rows if "boston" not in row.evidence.lower()]


def test_golden_lectures_give_neither_cloze_questions_nor_rivals(data):
    rows = list(reading.lecture_cloze(data, 1))
    assert rows
    assert not [passage for row in rows for passage in row.passages if "Boston" not in passage.text]


def test_rows_written_for_a_golden_lecture_have_split_test(data, monkeypatch, tmp_path):
    monkeypatch.setattr(written, "HERE", tmp_path / "written")
    monkeypatch.setattr(sources, "encyclopedia_texts", lambda data: iter(()))
    monkeypatch.setattr(written, "encyclopedia_texts", lambda data: iter(()))
    monkeypatch.setattr(written, "qmsum_stretches", lambda data, part: iter(()))
    names = {entry.document: name for name, entry in written.passages(data).items()}
    claims = [{"passage": names[lecture], "claim": lecture, "label": "supported", "kind": ""} for lecture in names]
    write(tmp_path / "written/claims_lectures.jsonl", claims)
    split = {row.claim: row.split for row in written.written_claims(data, 1)}
    assert {lecture for lecture, name in split.items() if name == "test"} == {"claimed", "asked", "told"}
    assert split["seen"] != "test"
