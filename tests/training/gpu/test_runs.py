"""A tiny kit is packed, trained on and distilled, on a CPU."""

import json
from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import pytest
import torch
from safetensors.torch import load_file, save_file

from lectorium.providers.cross_encoder_model import CrossEncoderNetwork, Shape
from lectorium.providers.cross_encoder_weights import pack
from lectorium.providers.mpnet.adapter import load_facts, save_adapter
from tests.providers.mpnet.tiny import tiny_network, write_base
from training.build.sources import SourceDocument
from training.gpu import kit as kits
from training.gpu import learning, packing
from training.gpu.distilling import distil, parts_of, read_small
from training.gpu.packing import PackSources, pack_kit
from training.gpu.preparation import Workplace
from training.gpu.settings import NamedRun, load_settings
from training.gpu.training import train_runs
from training.rows import GroundingRow, PassageRow, ReadingRow, write_rows

RAIN = "It rained on Sunday when nobody came. Cats did sleep when it rained."
SNOW = "It snowed on Sunday when cats came. Nobody did sleep when it snowed."
SMALL = Shape(vocabulary=128, width=24, inner=48, layers=1, positions=300)
ASKED = {"id": "a1", "source": "sample", "question": "When did it rained?", "answerable": True, "answers": [RAIN[:37]]}
SETTINGS = replace(
    load_settings(),
    train=replace(load_settings().train, step_tokens=512),
    distil=replace(load_settings().distil, step_tokens=512),
    reading={"candidates": 1.0, "questions": 1.0},
    grounding={"claims": 1.0},
)  # fmt: skip


def rows():
    for split in ("train", "calibrate"):
        own = PassageRow(RAIN, True, True, (3, 9))
        yield ReadingRow("any", split, "When did it rained?", [own, PassageRow(SNOW, False, False)])
        yield ReadingRow("any", split, "When did cats came?", [PassageRow(RAIN, None, False)])
        yield GroundingRow("any", split, "It rained.", RAIN, "supported", evidence_spans=[(0, 37)])
        yield GroundingRow("any", split, "It snowed.", RAIN, "contradicted", kind="swap")


def write_lines(file, *values):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")


@pytest.fixture
def place(tmp_path, monkeypatch):
    reading = [row for row in rows() if isinstance(row, ReadingRow)]
    write_rows(tmp_path / "rows/questions.jsonl", reading)
    write_rows(tmp_path / "rows/claims.jsonl", [row for row in rows() if row not in reading])
    monkeypatch.setattr(packing, "written_questions", lambda data, seed: reading)
    monkeypatch.setattr(packing, "squad2", lambda data, seed: [])
    monkeypatch.setattr(packing, "public_pairs", lambda data: [])
    monkeypatch.setattr(packing, "lecture_texts", lambda data: [SourceDocument("snow", SNOW, "train")])
    monkeypatch.setattr(packing, "encyclopedia_texts", lambda data: [])
    monkeypatch.setattr(packing, "copy_code", lambda folder: 0)  # starts a process
    natural, written = tmp_path / packing.NATURAL, tmp_path / packing.HANDWRITTEN
    write_lines(natural / "dev.jsonl", ASKED, {**ASKED, "source": "real"}, {**ASKED, "history": [{}]})
    write_lines(natural / "fresh.jsonl", {**ASKED, "answerable": False, "answers": None})
    write_lines(natural / "latest.jsonl", {**ASKED, "source": "real", "answerable": False, "also": None})
    write_lines(natural / "newest.jsonl", {**ASKED, "id": "never"})
    write_lines(written / "passages.jsonl", {"passage": "p", "text": RAIN})
    claim = {"passage": "p", "claim": "It rained.", "label": "supported", "kind": ""}
    write_lines(written / "dev.jsonl", claim, {**claim, "label": "contradicted", "kind": "swap"})
    for name in ("samples", "lectures"):
        kits.write_objects(tmp_path, name, [RAIN, SNOW])
    big, small = tiny_network(), CrossEncoderNetwork(SMALL)
    save_adapter(tmp_path / "adapters", dict(big.trained()), {"reading": 5, "grounding": 7})
    hooked = {name: value.detach() for name, value in big.encoder.named_parameters() if name.endswith((".a", ".b"))}
    save_file(hooked, tmp_path / "adapters/questions.safetensors")
    save_file(pack(small.state_dict()), tmp_path / "cross_encoder.safetensors")
    base = write_base(tmp_path / "base")
    corpora = tmp_path / "samples.jsonl.xz", tmp_path / "lectures.jsonl.xz"
    sources = PackSources(tmp_path, tmp_path / "rows", base, *corpora, tmp_path / "adapters", tmp_path, tmp_path)
    kit = tmp_path / "kit"
    counts = pack_kit(kit, sources, SETTINGS, seed=1)
    assert (counts["questions"], counts["passages"], counts["natural"], counts["pieces"]) == (4, 2, 4, 1)
    monkeypatch.setattr(learning, "time", SimpleNamespace(monotonic=count().__next__))  # a step takes a second
    return Workplace(kit, kit, tmp_path / "work", tmp_path / "out", torch.device("cpu"))


def test_a_packed_kit_trains_the_big_reader_and_then_the_small_one(place):
    run = NamedRun("a", 12, "shipped", SETTINGS.train)
    found = train_runs(place, SETTINGS, [run, replace(run, name="b", start="fresh")])
    assert set(found) == {"shipped", "a", "b"}
    trained = load_file(place.out / "a/adapter.safetensors")
    before = load_file(place.kit / "adapter.safetensors")
    assert trained.keys() == before.keys()
    assert any(not torch.equal(value, before[name]) for name, value in trained.items())
    facts = load_facts(place.out / "a")
    assert facts.pairs["reading"] > 5
    assert facts.pairs["grounding"] > 7
    teacher = place.out / "a/adapter.safetensors"
    figures = distil(place, SETTINGS, teacher, seconds=12, shape=SMALL)
    assert figures["teacher"]["claims"] == found["a"]["claims"]
    weights, pairs = read_small(place.out)
    assert sum(pairs.values()) > 0
    assert not any(name.startswith("encoder.embeddings") for name in weights)
    assert CrossEncoderNetwork(SMALL).load_state_dict(weights, strict=False).unexpected_keys == []


def test_questions_that_must_stay_unseen_are_not_packed(place):
    assert {row["id"] for row in kits.read_objects(place.kit, "natural")} == {"a1"}


def test_the_base_comes_back_within_half_a_step_of_its_scales(tmp_path, monkeypatch):
    monkeypatch.setattr(kits, "LARGE", 4)
    weights = {"matrix": torch.randn(4, 8), "bias": torch.randn(4)}
    pieces = kits.write_base(tmp_path, weights, piece=1)
    found = kits.read_base(tmp_path, tmp_path)
    assert torch.allclose(found["matrix"], weights["matrix"], atol=weights["matrix"].abs().max().item() / 250)
    assert torch.allclose(found["bias"], weights["bias"], rtol=0.01)
    pieces[0].unlink()
    with pytest.raises(SystemExit, match="do not match their checksum"):
        kits.read_base(tmp_path, tmp_path)


def test_parts_of_weights_stay_below_a_size():
    weights = {str(place): torch.zeros(10) for place in range(5)}
    assert [list(part) for part in parts_of(weights, 80)] == [["0", "1"], ["2", "3"], ["4"]]
