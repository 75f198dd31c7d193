"""Probes meet three made-up entries, and leave nothing behind."""

import json

import pytest
from django.core.management import CommandError, call_command

from corpus.models import EmbeddingSpace
from curation.models import EntryVectors, MemoryNote, PinnedQuestion
from evaluation.curation import probes
from evaluation.curation.probes import measure_probes
from evaluation.curation.probes_report import probes_report
from tests.chat.conftest import corpus
from tests.factories import a_pin

__all__ = ["corpus"]
pytestmark = pytest.mark.django_db(transaction=True)
ASKED = "How should one work without wanting anything?"
FIXTURES = {
    "pins": [
        {"id": "pin 1", "question": ASKED, "references": ["BG 2.47", "BG 99.1"], "framing": None},
        {"id": "pin 2", "question": "Who refused to bow?", "references": ["nowhere:1"], "framing": "See."},
    ],
    "notes": [
        {"id": "note 1", "title": "Old trees", "body": "Banyans.", "triggers": ["banyan"], "references": ["BG 2.48"]}
    ],
}
PROBES = [
    (ASKED, "pin 1", "accept"),
    (f"{ASKED} Please", "pin 1", "reject"),  # the same question, labelled wrongly: a false accept
    ("How should one sleep without wanting anything?", "pin 1", "reject"),
    ("Who would not bow?", "pin 2", "accept"),
    ("How old is a banyan?", "note 1", "accept"),
    (ASKED, "note 1", "reject"),
]


@pytest.fixture
def folder(corpus, tmp_path, settings):
    settings.BASE_DIR = tmp_path
    (tmp_path / "fixtures.json").write_text(json.dumps(FIXTURES), encoding="utf-8")
    rows = [json.dumps({"probe": text, "fixture": name, "expected": expected}) for text, name, expected in PROBES]
    (tmp_path / "probes.jsonl").write_text("\n".join(rows), encoding="utf-8")
    return tmp_path


def test_each_probe_is_told_what_its_entry_did_and_which_pins_answered_wrongly(folder):
    asked = []
    found = measure_probes(lambda: asked.append(1), folder)
    assert len(asked) == len(PROBES) - 1  # without the probe of a pin that no passage answers
    assert [(asked.probe.fixture, asked.outcome) for asked in found.outcomes] == [
        ("pin 1", "accepted"), ("pin 1", "accepted"), ("pin 1", "rejected"), ("note 1", "accepted"),
        ("note 1", "rejected"),
    ]  # fmt: skip
    assert [[pin.fixture for pin in asked.wrong_pins] for asked in found.outcomes] == [[], ["pin 1"], [], [], ["pin 1"]]
    assert [asked.in_turn for asked in found.outcomes] == [asked.outcome for asked in found.outcomes]
    assert [asked.turn_pins for asked in found.outcomes] == [(), ("pin 1",), (), (), ("pin 1",)]
    assert (found.dead, found.left_out) == (("BG 99.1", "nowhere:1"), ("pin 2",))


def test_the_report_names_every_false_accept_and_counts_what_is_left_out(folder):
    page = "\n".join(probes_report(measure_probes(lambda: None, folder), "overlap", "a corpus"))
    assert "| pins | reject | 2 | 1 (50.0%) | 0 (0.0%) | 1 (50.0%) |" in page
    assert "left out: 2." in page
    assert "Probes that a pin answers wrongly in a turn: 2" in page
    assert "False accepts of pins: 2 (goal 0), 1 of them probes of another pin or note." in page
    assert f"| {ASKED} Please | pin 1, reject | {ASKED} | It has the words of this phrasing. |" in page
    assert "It has much of the pin's words, but another word in place of one" in page


def test_nothing_is_kept_and_an_index_is_not_needed(folder):
    EmbeddingSpace.objects.all().delete()
    measure_probes(lambda: None, folder)
    kept = (PinnedQuestion, MemoryNote, EntryVectors, EmbeddingSpace, PinnedQuestion.history.model)
    assert not any(model._default_manager.exists() for model in kept)


def test_a_library_with_entries_of_its_own_is_left_alone(folder):
    a_pin(ASKED, ["BG 2.47"])
    with pytest.raises(CommandError, match="There are 1 pins and notes here"):
        call_command("probe_pins", verbosity=0)
    assert not (folder / "docs").exists()


def test_the_shipped_probes_name_fixtures_that_exist():
    fixtures, rows = probes._read(probes.FOLDER)
    assert (len(fixtures), len(rows)) == (40, 240)
    assert {row.fixture for row in rows} == set(fixtures)
    assert {row.expected for row in rows} == {"accept", "reject"}
