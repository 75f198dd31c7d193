"""The big reader over a tiny base with random weights."""

from dataclasses import replace

import pytest
import torch

from lectorium.providers import registry
from lectorium.providers.cross_encoder import CrossEncoder
from lectorium.providers.errors import ModelMissing
from lectorium.providers.handwritten_bar import HandwrittenBar
from lectorium.providers.mpnet.adapter import load_facts, save_adapter, save_facts
from lectorium.providers.mpnet.reader import MPNET, BigReader
from lectorium.providers.pair_layout import Pass
from lectorium.providers.stand_ins.guard import ModelForbidden
from lectorium.providers.stand_ins.overlap import OverlapCrossEncoder
from lectorium.providers.windowing import TokenWindow

from .tiny import fast_tokenizer, tiny_network, tiny_tokenizer, write_base

SHORT = "It rained on Sunday. Nobody came."
LONG = "Cats sleep on Sunday. Nobody came when it rained. " * 60


@pytest.fixture
def folders(tmp_path):
    base, adapter = write_base(tmp_path / "base"), tmp_path / "adapter"
    save_adapter(adapter, {name: parameter.detach() for name, parameter in tiny_network(2).trained()}, {"reading": 1})
    facts = load_facts(adapter)
    save_facts(adapter, replace(facts, calibration=replace(facts.calibration, answered=0.0, supported=0.0)))
    return base, adapter


@pytest.fixture
def reader(folders):
    return BigReader(*folders, dtype=torch.float32, threads=1)


def test_its_bar_is_stored_with_its_adapter(folders):
    bar = HandwrittenBar(0.01, "ab12")
    assert BigReader(*folders).store_bar(bar) == folders[1] / "adapter.json"
    assert load_facts(folders[1]).calibration.handwritten == bar
    assert BigReader(*folders).passed_bar


@pytest.mark.model
def test_readings_keep_order_and_point_into_their_passage(reader):
    readings = reader.read("When did it rain?", [SHORT, "", LONG])
    assert len(readings) == 3
    assert readings[1].span is None
    for reading, text in ((readings[0], SHORT), (readings[2], LONG)):
        assert 0 <= reading.answerability <= 1
        start, end = reading.span
        assert text[start:end].strip() == text[start:end] != ""


@pytest.mark.model
def test_a_reading_does_not_depend_on_the_other_passages(reader):
    alone = reader.read("When did it rain?", [SHORT])[0]
    beside = reader.read("When did it rain?", [LONG, SHORT, SHORT])[1]
    assert beside.relevance == pytest.approx(alone.relevance, abs=1e-4)
    assert beside.answerability == pytest.approx(alone.answerability, abs=1e-4)


@pytest.mark.model
def test_a_judgement_has_evidence_and_no_punctuation_moves_it(reader):
    plain, marked, empty = reader.verify([(SHORT, "It rained"), (SHORT, "It rained, !"), ("", "It rained")])
    assert SHORT[slice(*plain.span)] in ("It rained on Sunday.", "Nobody came.")
    assert marked.support == pytest.approx(plain.support, abs=1e-4)
    assert empty.label == "not_mentioned"


@pytest.mark.model
def test_rows_are_written_as_the_tokenizer_of_the_training_writes_them():
    tokenizer = tiny_tokenizer()
    query, passage = (tokenizer.encode(text, add_special_tokens=False).ids for text in ("When?", SHORT))
    row = Pass("reading", 0, 0, query, TokenWindow(0, len(passage)), passage)
    inputs = MPNET.tensors([row])
    trained = fast_tokenizer()("When?", SHORT, return_tensors="pt")
    assert torch.equal(inputs["input_ids"], trained["input_ids"])
    assert torch.equal(inputs["attention_mask"], trained["attention_mask"])
    assert inputs["input_ids"][0][MPNET.passage(row)].tolist() == passage


def test_a_missing_base_or_adapter_says_what_to_do(tmp_path, folders):
    base, adapter = folders
    with pytest.raises(ModelMissing, match="make install"):
        _ = BigReader(tmp_path / "nothing", adapter)._tokenizer
    with pytest.raises(ModelMissing, match="python -m training accept"):
        _ = BigReader(base, tmp_path / "nothing").calibration


@pytest.fixture
def fresh_registry():
    registry._big_reader.cache_clear()
    yield
    registry._big_reader.cache_clear()


def test_without_its_base_the_small_reader_serves_and_the_log_says_so(settings, tmp_path, caplog, fresh_registry):
    settings.READER_BASE, settings.CROSS_ENCODER = tmp_path, "overlap"
    assert isinstance(registry.reader_named("big"), OverlapCrossEncoder)
    assert "The big reader is not installed" in caplog.text


@pytest.mark.model
def test_the_setting_chooses_the_reader(settings, folders, fresh_registry):
    settings.READER_BASE, settings.READER_ADAPTER = folders
    assert isinstance(registry.reader_named("big"), BigReader)
    settings.READER = "big"
    assert registry.reader() is registry.verifier() is registry.reader_named("big")
    settings.READER, settings.CROSS_ENCODER = "small", "shipped"
    assert type(registry.reader()) is type(registry.verifier()) is CrossEncoder


@pytest.mark.model
def test_the_big_reader_verifies_claims_wherever_it_is_installed(settings, folders, fresh_registry, tmp_path):
    settings.READER, settings.CROSS_ENCODER = "auto", "shipped"
    settings.READER_BASE, settings.READER_ADAPTER = folders
    assert type(registry.reader()) is CrossEncoder
    assert isinstance(registry.verifier(), BigReader)
    assert type(registry.verifier("shipped")) is CrossEncoder
    settings.READER_BASE = tmp_path / "nothing"
    assert type(registry.verifier()) is CrossEncoder


def test_an_unmarked_test_cannot_reach_the_big_reader(reader):
    with pytest.raises(ModelForbidden, match="big reader"):
        reader.read("When?", [SHORT])
