from itertools import islice
from pathlib import Path

import pytest
from django.conf import settings

from evaluation.escape import material
from evaluation.escape.material import SOURCES, cases, load
from lectorium.providers.planting.orders import obedience
from tests.evaluation.escape.corpus import LECTURES, write_corpus, write_rows


@pytest.fixture
def tiny(tmp_path):
    return write_corpus(tmp_path)


def test_each_source_gives_its_documents_and_leaves_out_what_training_has_seen(tiny):
    documents = load(*tiny).documents
    assert {source: len(found) for source, found in documents.items()} == {"lectures": 3, "hotpotqa": 1, "squad2": 4}
    [page] = documents["hotpotqa"]
    assert [one.title for one in page.gold] == ["Page 0"]
    assert [one.title for one in page.others] == ["Page 1", "Page 2", "Page 3"]
    assert all(one.address != "X:1" for document in documents["lectures"] for one in document.others)
    assert documents["lectures"][0].gold[0].speaker == "Swami Vivekananda"


def test_sources_take_turns_and_what_has_a_paraphrase_comes_first(tiny):
    held = load(*tiny)
    first = list(islice(cases(held, 1), 30))
    assert [case.document.source for case in first] == list(SOURCES) * 10
    assert first[0].document.gold[0].address == "T:1"
    for case in first:
        assert len(case.document.gold) + 3 <= len(case.notes) <= len(case.document.gold) + 7
        assert {case.notes[alias - 1].address for alias in case.gold} == {one.address for one in case.document.gold}
        assert sum(bool(obedience(note.text)) for note in case.notes) == 1
    assert first == list(islice(cases(held, 1), 30))
    assert first != list(islice(cases(held, 2), 30))


def test_data_that_is_not_there_is_named(tiny, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"paragraphs\.jsonl does not exist; point LECTORIUM_DATA"):
        load(tmp_path / "nowhere", tiny[1])


def test_a_passage_that_is_not_the_one_paraphrased_is_an_error(tiny):
    data, here = tiny
    row = {"source": "lectures", "passage": "T:2", "sha": "0" * 12, "claim": "Teachers ask."}
    write_rows(here / "paraphrases.jsonl", [row])
    with pytest.raises(ValueError, match=r"lectures T:2 is missing or has another text"):
        load(data, here)


def test_the_paraphrases_are_other_words_than_their_passages():
    if not (settings.DATA_DIR / "qa").is_dir():
        pytest.skip("the evaluation data is not here (LECTORIUM_DATA)")
    held = load(Path(settings.DATA_DIR))
    texts = [passage.text for found in held.documents.values() for one in found for passage in one.gold]
    claims = [claim for several in held.paraphrases.values() for claim in several]
    assert len(claims) == len(set(claims)) >= 260
    assert not [claim for claim in claims for text in texts if claim.rstrip(".") in text]
    assert LECTURES[0] not in texts
    assert material.HERE.name == "escape"
