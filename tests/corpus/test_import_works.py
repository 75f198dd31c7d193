"""Works of addressed verses."""

import json

import pytest

from corpus.catalogue.addresses import shelf
from corpus.importers.drafts import WorkDraft
from corpus.models import Chunk, Section, Work
from corpus.services import collection_ensure, sources_import

pytestmark = pytest.mark.django_db

JOHN = {"ref": "John 11:35", "book": "John", "chapter": 11, "verse": 35, "text": "Jesus wept."}
GITA = {
    "ref": "BG 2.13", "chapter": 2, "verse": 13, "speaker": "श्रीभगवान्", "speaker_iast": "śrībhagavān",
    "sanskrit": ["देहिनोऽस्मिन्", "कौमारं"], "iast": ["dehino'smin", "kaumāraṃ"],
}  # fmt: skip


def bring(path):
    return sources_import(paths=[path], collection=collection_ensure(key="library"), only=WorkDraft)


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "kjv"
    folder.mkdir()
    return folder


def write(folder, *records, name="verses.jsonl"):
    path = folder / name
    path.write_text("\n".join(json.dumps(record) for record in records), encoding="utf-8")
    return path


def test_a_verse_is_a_section_and_a_chunk(folder):
    bring(write(folder, JOHN))
    work = Work.objects.get()
    assert (work.key, work.title, work.books) == ("kjv", "Kjv", {"John": {"11": 35}})
    section = Section.objects.get()
    assert (section.address, section.address_key, section.text) == ("John 11:35", "john 11 35", "Jesus wept.")
    chunk = Chunk.objects.get()
    assert (chunk.kind, chunk.heading, chunk.text) == ("verse", "Kjv · John 11:35", "Jesus wept.")


def test_a_folder_that_describes_itself_gives_the_work_its_title(folder):
    (folder / "SOURCE.md").write_text("# King James Bible\n\n# Another heading\n", encoding="utf-8")
    bring(write(folder, JOHN))
    assert Work.objects.get().title == "King James Bible"


def test_sanskrit_shows_its_transliteration_and_keeps_its_script(folder):
    bring(write(folder, GITA))
    section = Section.objects.get()
    assert (section.text, section.original) == ("dehino'smin\nkaumāraṃ", "देहिनोऽस्मिन्\nकौमारं")
    assert section.speaker == "śrībhagavān"
    assert Work.objects.get().abbreviation == "BG"
    assert "BG" in shelf().chapters


def test_verse_translation_and_commentary_are_one_addressed_section(folder):
    bring(write(folder, GITA | {"text": "As the soul passes.", "commentary": "The body changes.\n\nNot the soul."}))
    section = Section.objects.get()
    assert section.text == "As the soul passes.\nThe body changes.\nNot the soul."
    assert section.original == "देहिनोऽस्मिन्\nकौमारं\ndehino'smin\nkaumāraṃ"
    chunk = Chunk.objects.get()
    assert (chunk.address, chunk.text) == (section.address, section.text)
    assert "dehinosmin kaumaram" in chunk.folded_context
    assert Chunk.objects.filter(search_vector="kaumaram").exists()


def test_the_verses_of_a_deep_scheme_are_counted_by_canto_and_chapter_and_stand_in_order(folder):
    records = [
        {"ref": ref, "chapter": 2, "verse": 1, "text": f"Words of {ref}."}
        for ref in ("SB 1.10.1", "SB 1.2.4", "SB 1.2.3")
    ]
    bring(write(folder, *records))
    assert Work.objects.get().books == {"SB": {"1.2": 4, "1.10": 1}}
    assert list(Section.objects.values_list("address", flat=True)) == ["SB 1.2.3", "SB 1.2.4", "SB 1.10.1"]


def test_a_verse_that_holds_several_is_found_by_each(folder):
    bring(write(folder, {"ref": "BG 1.16-18", "chapter": 1, "verse": 16, "text": "Conches were blown."}))
    assert Chunk.objects.at_address(["bg 1 17"]).exists()


def test_a_chapter_lasts_to_the_end_of_its_last_section(folder):
    records = [
        {"ref": ref, "chapter": 1, "verse": verse, "text": f"Words of {ref}."}
        for ref, verse in (("BG 1.45", 45), ("BG 1.46-47", 46))
    ]
    bring(write(folder, *records))
    assert Work.objects.get().books == {"BG": {"1": 47}}


def test_facts_beside_the_verses_name_the_work_and_count_its_chapters(folder):
    facts = {
        "key": "g",
        "title": "Gītā",
        "language": "en",
        "translator": "T",
        "abbreviation": "BG",
        "chapters": {"2": 72},
    }
    (folder / "gita.meta.json").write_text(json.dumps(facts), encoding="utf-8")
    bring(write(folder, {"ref": "BG 2.13", "chapter": 2, "verse": 13, "text": "As the body"}, name="gita.jsonl"))
    work = Work.objects.get()
    assert (work.key, work.title, work.translator, work.books) == ("g", "Gītā", "T", {"BG": {"2": 72}})


def test_a_second_import_changes_nothing_and_a_changed_verse_is_the_only_new_chunk(folder):
    other = JOHN | {"ref": "John 11:36", "verse": 36, "text": "Then said the Jews."}
    bring(write(folder, JOHN, other))
    ids = dict(Chunk.objects.values_list("address", "id"))
    assert bring(folder / "verses.jsonl").count("unchanged") == 1
    assert bring(write(folder, JOHN, other | {"text": "Behold."})).count("changed") == 1
    fresh = dict(Chunk.objects.values_list("address", "id"))
    assert fresh["John 11:35"] == ids["John 11:35"]
    assert fresh["John 11:36"] != ids["John 11:36"]


def test_facts_beside_the_verses_that_are_nested_too_deeply_are_refused_in_a_sentence(folder):
    (folder / "verses.meta.json").write_text('{"title": ' + "[" * 100_000, encoding="utf-8")
    (refused,) = bring(write(folder, JOHN)).refused
    assert "has a broken verses.meta.json beside it" in refused.problem


@pytest.mark.parametrize(
    ("records", "said"),
    [
        (({"_id": "x", "text": "y"},), "is a lecture, not verses"),
        ((JOHN, JOHN), "line 2 repeats John 11:35 of line 1"),
        ((JOHN | {"text": " "},), 'line 1 has no words under "text" or "iast"'),
        ((JOHN | {"verse": "x"},), "line 1 has a chapter or verse that is not a number"),
        ((JOHN | {"verse": 10**300},), "line 1 has a chapter or verse that is not a number"),
        ((JOHN | {"text": {"en": "Jesus wept."}},), 'line 1 has a "text" that is neither text nor lines of text'),
        ((JOHN | {"text": ["Jesus", ["wept."]]},), 'line 1 has a "text" that is neither text nor lines of text'),
        ((JOHN | {"commentary": True},), 'line 1 has a "commentary" that is neither text nor lines of text'),
    ],
)
def test_bad_verses_are_refused_by_line(folder, records, said):
    (refused,) = bring(write(folder, *records)).refused
    assert said in refused.problem
    assert not Work.objects.exists()
