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


def test_each_source_gives_documents_unseen_in_training(tiny):
    documents = load(*tiny).documents
    assert {source: len(found) for source, found in documents.items()} == {"lectures": 3, "hotpotqa": 1, "squad2": 4}
    [page] = documents["hotpotqa"]
    assert [passage.title for passage in page.gold] == ["Page 0"]
    assert [passage.title for passage in page.others] == ["Page 1", "Page 2", "Page 3"]
    assert all(passage.address != "X:1" for document in documents["lectures"] for passage in document.others)
    assert documents["lectures"][0].gold[0].speaker == "Swami Vivekananda"


def test_sources_alternate_and_documents_with_paraphrases_come_first(tiny):
    held = load(*tiny)
    first = list(islice(cases(held, 1), 30))
    assert [case.document.source for case in first] == list(SOURCES) * 10
    assert first[0].document.gold[0].address == "T:1"
    for case in first:
        assert len(case.document.gold) + 3 <= len(case.notes) <= len(case.document.gold) + 7
        assert {case.notes[alias - 1].address for alias in case.gold} == {
            passage.address for passage in case.document.gold
        }
        assert sum(bool(obedience(note.text)) for note in case.notes) == 1
    assert first == list(islice(cases(held, 1), 30))
    assert first != list(islice(cases(held, 2), 30))


def test_missing_data_is_named(tiny, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"paragraphs\.jsonl does not exist; point LECTORIUM_DATA"):
        load(tmp_path / "nowhere", tiny[1])


def test_a_changed_passage_is_an_error(tiny):
    data, here = tiny
    row = {"source": "lectures", "passage": "T:2", "sha": "0" * 12, "claim": "Teachers ask."}
    write_rows(here / "paraphrases.jsonl", [row])
    with pytest.raises(ValueError, match=r"lectures T:2 is missing or has another text"):
        load(data, here)


def test_paraphrases_do_not_copy_their_passages():
    if not (settings.DATA_DIR / "qa").is_dir():
        pytest.skip("the evaluation data is not here (LECTORIUM_DATA)")
    held = load(Path(settings.DATA_DIR))
    texts = [passage.text for found in held.documents.values() for document in found for passage in document.gold]
    claims = [claim for several in held.paraphrases.values() for claim in several]
    assert len(claims) == len(set(claims)) >= 260
    assert not [claim for claim in claims for text in texts if claim.rstrip(".") in text]
    assert LECTURES[0] not in texts
    assert material.HERE.name == "escape"
