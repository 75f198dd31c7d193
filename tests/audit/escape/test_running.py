import json
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from audit.escape import material
from audit.escape.report import BY_HAND, ORIGINS
from audit.escape.running import PLANTED, drafts, run
from lectorium.providers.planting import KINDS
from tests.audit.escape.corpus import write_corpus


@pytest.fixture
def tiny(tmp_path, monkeypatch, settings):
    data, here = write_corpus(tmp_path)
    monkeypatch.setattr(material, "HERE", here)
    settings.DATA_DIR = data
    return material.load(data)


def evaluate(*arguments):
    out = StringIO()
    call_command("evaluate", "escape", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def test_drafts_hold_as_many_falsehoods_as_were_asked_for_and_no_line_twice(tiny):
    lines = [(line.kind, line.text) for one in drafts(tiny, 40, seed=1) for line in one.lines]
    assert sum(bool(kind) for kind, _ in lines) == 40
    assert len(lines) == len(set(lines))
    assert [one.lines for one in drafts(tiny, 40, seed=1)] == [one.lines for one in drafts(tiny, 40, seed=1)]


def test_it_ends_where_the_documents_hold_no_more(tiny, monkeypatch):
    monkeypatch.setattr("lectorium.providers.hostile.RULES", dict.fromkeys(KINDS, lambda *_: None))
    assert list(drafts(tiny, 40, seed=1)) == []


async def test_every_line_has_a_fate_and_the_stand_in_lets_some_true_lines_through(tiny):
    counted = []
    found = await run(tiny, 36, 1, counted.append)
    planted = [one for one in found if one.planted]
    true = [one for one in found if not one.planted]
    assert sum(counted) == len(planted) == 36
    assert any(one.seen for one in true)
    assert not [one for one in planted if one.line.kind == "invented_marker" and one.escaped]
    assert {"gauntlet"} < {guard for one in planted for guard in one.guards}


def test_the_command_prints_the_figures(tiny):
    figures = json.loads(evaluate("--json", "--planted", "24"))["escape"]
    assert {"escape_rate", "collateral", "planted", "by_kind"} <= set(figures)
    assert figures["planted"] == 24
    assert figures == json.loads(evaluate("--json", "--planted", "24"))["escape"]


def test_the_command_writes_its_section(tiny, settings, tmp_path):
    settings.BASE_DIR = tmp_path
    evaluate("--planted", "12")
    assert (tmp_path / "docs/results/escape.md").read_text(encoding="utf-8").startswith("## Escape test")
    assert "## Escape test" in (tmp_path / "docs/results.md").read_text(encoding="utf-8")


def test_at_least_a_third_of_the_true_lines_is_written_by_hand():
    if not (settings.DATA_DIR / "qa").is_dir():
        pytest.skip("the evaluation data is not here (LECTORIUM_DATA)")
    true = [line for one in drafts(material.load(settings.DATA_DIR), PLANTED, 1) for line in one.lines if not line.kind]
    assert sum(line.origin == "paraphrase" for line in true) >= BY_HAND * len(true)
    assert {line.origin for line in true} == set(ORIGINS)


def test_bad_input_is_said_clearly(tiny, settings, tmp_path):
    with pytest.raises(CommandError, match="at least 1"):
        evaluate("--planted", "0")
    settings.DATA_DIR = tmp_path / "nowhere"
    with pytest.raises(CommandError, match="point LECTORIUM_DATA at the evaluation data"):
        evaluate("--planted", "12")
