"""A library leaves as one file and comes back as it was."""

import sqlite3
import uuid
from contextlib import closing
from datetime import date

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core.management import CommandError, call_command
from django.urls import reverse
from django_q.models import OrmQ
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from corpus.domain.text.cleaning import clean, clean_lines
from corpus.importers.drafts import VerseDraft, WorkDraft
from corpus.importers.library import VERSION
from corpus.models import Collection, Work
from corpus.services import collection_ensure, source_withdraw, sources_import
from corpus.services.works import work_store
from curation.entries import phrasings_of, references_of
from curation.library.export import SCHEMA, ExportRefused, library_export
from curation.models import Fact, FactCheck, MemoryNote, PinnedQuestion
from tests.curation.fact_rows import a_fact
from tests.factories import a_collection, a_note, a_pin, a_work

pytestmark = pytest.mark.django_db
WEPT = "Jesus wept."


def rows_of(path):
    """Everything in a library, table by table."""
    with closing(sqlite3.connect(path)) as database:
        tables = ("works", "sections", "pins", "notes", "facts")
        return {name: database.execute(f"SELECT * FROM {name} ORDER BY rowid").fetchall() for name in tables}


def empty():
    for model in (PinnedQuestion, MemoryNote, Fact, Work):
        model.objects.all().delete()


def exported(folder, name="library.db"):
    library_export(folder / name, Collection.objects.all())
    return folder / name


def imported(path, **how):
    return sources_import(paths=[path], collection=collection_ensure(key="library"), **{"keep_states": True, **how})


@pytest.mark.parametrize("keep_states", [True, False])
def test_an_import_of_many_entries_queues_each_job_once(
    keep_states, tmp_path, settings, django_capture_on_commit_callbacks
):
    settings.LOCALES = ["de"]
    for number in range(3):
        a_note(f"Note {number}", triggers=["trigger"])
    library = exported(tmp_path)
    empty()
    for again in (False, True):
        OrmQ.objects.all().delete()
        with django_capture_on_commit_callbacks(execute=True):
            imported(library, keep_states=keep_states)
        jobs = [] if again else ["curation.tasks.index_entries", "curation.translations.tasks.translate_due"]
        assert [job.func() for job in OrmQ.objects.order_by("pk")] == jobs
    assert MemoryNote.objects.count() == 3


def the_same_after_a_round(folder):
    before = exported(folder, "before.db")
    empty()
    report = imported(before)
    assert not report.refused, report.refused
    after = exported(folder, "after.db")
    assert rows_of(after) == rows_of(before)
    return report


@pytest.fixture
def library():
    """A verse work, a prose work, pins and notes in every state."""
    members = a_collection("members", "members")
    a_work({"John 1:1": "In the beginning.", "John 11:35": "Jesus wept."}, books={"John": {"1": 51, "11": 57}})
    verse = VerseDraft(
        "BG 2.13",
        "BG",
        2,
        13,
        "As the embodied\nsoul passes.",
        "dehino ’smin",
        "Kṛṣṇa",
        "",
        "As the  embodied\nsoul passes.",
    )
    prose = VerseDraft("preface:1", "preface:1", None, None, "A word before.", heading="Preface")
    draft = WorkDraft("test", "gita", "Bhagavad-gītā", (verse, prose), "en", "BG", "A. Translator", {"BG": {"2": 72}})
    work_store(draft=draft, collection=a_collection(), source_hash="")
    a_pin("What is the soul?", ["BG 2.13", "John 1:1"], ["What is the self?", "Who am I?"], framing="Hear\n\nboth.")
    a_pin("Was ist die Seele?", ["BG 2.13"], language="de", state="draft")
    a_pin("Who are we?", ["gone:7"], collection=members, state="in_review")
    a_pin("Old?", ["BG 2.13"], state="withdrawn")
    a_pin("Old?", ["John 1:1"], state="withdrawn")
    a_note("Soul", ["BG 2.13", "John 11:35"], body="One.\n\nTwo.", triggers=["soul", "ātmā"])
    a_note("Draft", body="Later.", state="draft")
    a_fact(WEPT, "John 11:35", WEPT, subject="Jesus", predicate="wept", object="then", valid_from=date(2020, 1, 2))


def test_export_and_import_into_an_empty_database_give_the_same(library, tmp_path):
    the_same_after_a_round(tmp_path)
    pin = PinnedQuestion.objects.get(question="What is the soul?")
    assert (references_of(pin), phrasings_of(pin)) == (["BG 2.13", "John 1:1"], ["What is the self?", "Who am I?"])
    assert (pin.state, pin.framing) == ("published", "Hear\n\nboth.")
    assert PinnedQuestion.objects.get(question="Who are we?").collection.key == "members"
    assert Work.objects.get(key="bible").books == {"John": {"1": 51, "11": 57}}
    verse = Work.objects.get(key="gita").sections.get(address="BG 2.13")
    assert (verse.text, verse.original, verse.speaker) == ("As the embodied\nsoul passes.", "dehino ’smin", "Kṛṣṇa")


def test_an_import_into_the_same_database_changes_nothing(library, tmp_path):
    path = exported(tmp_path)
    PinnedQuestion.objects.filter(question="What is the soul?").update(framing="Better.")
    report = imported(path)
    assert {outcome.state for outcome in report.outcomes if not outcome.kind} == {"unchanged"}
    assert PinnedQuestion.objects.get(question="What is the soul?").framing == "Better."


def test_entries_arrive_as_drafts_where_their_states_are_not_to_be_kept(library, tmp_path):
    path = exported(tmp_path)
    empty()
    imported(path, keep_states=False)
    assert set(PinnedQuestion.objects.values_list("state", flat=True)) == {"draft"}
    assert set(MemoryNote.objects.values_list("state", flat=True)) == {"draft"}


def test_withdrawn_works_and_other_collections_stay_at_home(tmp_path):
    secret = a_collection("secret", "restricted")
    a_work({"A 1:1": "Open."}, key="open")
    a_work({"B 1:1": "Closed."}, key="closed", collection=secret)
    source_withdraw(source=a_work({"C 1:1": "Old."}, key="old"))
    a_pin("Secret?", collection=secret)
    library_export(tmp_path / "x.db", Collection.objects.filter(key="library"))
    rows = rows_of(tmp_path / "x.db")
    assert [work[0] for work in rows["works"]] == ["open"]
    assert [section[1] for section in rows["sections"]] == ["A 1:1"]
    assert rows["pins"] == []


def test_two_works_with_one_key_are_refused_and_no_file_is_left(tmp_path):
    a_work({"A 1:1": "One."}, key="same")
    a_work({"A 1:1": "Two."}, key="same", collection=a_collection("other"))
    with pytest.raises(ExportRefused, match="Two works have the key “same”"):
        library_export(tmp_path / "x.db", Collection.objects.all())
    assert list(tmp_path.iterdir()) == []


def test_each_fact_of_a_library_is_checked_beside_its_source_and_told_apart(library, tmp_path):
    path = exported(tmp_path)
    Fact.objects.all().delete()
    rows = ("Jesus never wept.", "John 11:35"), ("Jesus wept in Rome.", "John 11:35"), (WEPT, "nowhere:1")
    for content, address in rows:
        altered(path, f"INSERT INTO facts VALUES ('Jesus', 'wept', 'then', '{content}', '{address}', '{WEPT}', '', '', "
                      "'', '', 1.0)")  # fmt: skip
    told = {found.source.partition(" (")[2]: found for found in imported(path).outcomes if "(fact" in found.source}
    assert [found.state for found in told.values()] == ["imported", "refused", "refused", "refused"]
    assert told["fact 2)"].problem.startswith("is left out: its source says otherwise")
    assert "is left out: its source does not say this" in told["fact 3)"].problem
    assert "There is no passage at “nowhere:1”" in told["fact 4)"].problem
    assert [(fact.content, fact.grounding) for fact in Fact.objects.all()] == [(WEPT, "supported")]
    assert FactCheck.objects.get().verdict == "supported"
    (again,) = [found for found in imported(path).outcomes if "(fact 1)" in found.source]
    assert (again.state, again.remark) == ("unchanged", "Stored already.")


def test_facts_of_other_collections_and_those_that_were_read_stay_at_home(library, tmp_path):
    a_work({"B 1:1": "Closed."}, key="closed", collection=a_collection("secret", "restricted"))
    a_fact("Closed.", "B 1:1", "Closed.")
    a_fact("In the beginning.", "John 1:1", "In the beginning.", author="rules")
    library_export(tmp_path / "x.db", Collection.objects.exclude(key="secret"))
    assert [fact[3] for fact in rows_of(tmp_path / "x.db")["facts"]] == [WEPT]


def altered(path, *statements):
    with closing(sqlite3.connect(path)) as database, database:
        for statement in statements:
            database.execute(statement)
    return path


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("PRAGMA user_version = 4", "is a library of version 4, and this Lectorium reads versions up to 3; update"),
        ("PRAGMA user_version = -1", "is a library of version -1"),
        ("UPDATE pins SET state = 'live'", "has the state 'live'; it is one of draft, in_review, published"),
        ("UPDATE pins SET id = 'seven'", "has the id 'seven', which is not a UUID"),
        ("UPDATE pins SET collection = 'elsewhere'", "belongs to the collection 'elsewhere', which is not here"),
        ("UPDATE pins SET phrasings = '[1'", 'has "phrasings" that is not a JSON list'),
        ("UPDATE pins SET phrasings = '[\"Soul?\"]', question = 'soul?'", "“Soul?” is written twice"),
        ("UPDATE works SET books = '{\"a\": 1}'", 'has "books" that are not counts of verses'),
        *(
            (f'UPDATE works SET books = \'{{"CC": {{"{name}": 3}}}}\'', 'a chapter in "books" that is not a number')
            for name in ("Preface", "", "1.", "1.²", "9" * 5000)
        ),
    ],
)
def test_what_cannot_be_read_says_what_and_what_to_do(tmp_path, statement, said):
    a_work({"A 1:1": "One."})
    a_pin("What is it?", ["A 1:1"])
    path = exported(tmp_path)
    empty()
    report = imported(altered(path, statement))
    assert any(said in outcome.problem for outcome in report.refused), report.refused


def test_a_library_of_the_first_version_is_read(tmp_path):
    path = tmp_path / "first.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute('CREATE TABLE pins (question TEXT NOT NULL, "references" TEXT NOT NULL, language TEXT)')
        database.execute("INSERT INTO pins VALUES ('  What is   it?', 'BG 2.13\n BG 2.20', NULL)")
    assert not imported(path).refused
    pin = PinnedQuestion.objects.get()
    assert (pin.question, pin.state, references_of(pin)) == ("What is it?", "draft", ["BG 2.13", "BG 2.20"])


def test_the_page_for_editors_has_the_tables_of_the_export(settings):
    page = (settings.BASE_DIR / "docs" / "editors.md").read_text(encoding="utf-8")
    assert " ".join(SCHEMA.split()) in " ".join(page.split())
    assert f"PRAGMA user_version = {VERSION};" in page


def test_the_command_writes_a_file_and_refuses_what_it_should_not_do(library, tmp_path, capsys):
    path = tmp_path / "library.db"
    call_command("export_library", str(path))
    assert "Exported 2 works, 4 sections, 5 pins, 2 notes, 1 facts to" in capsys.readouterr().out
    with pytest.raises(CommandError, match="exists already"):
        call_command("export_library", str(path))
    with pytest.raises(CommandError, match="no collection 'nowhere'; there are library, members"):
        call_command("export_library", str(tmp_path / "y.db"), collection="nowhere")
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export_library", str(tmp_path / "no" / "y.db"))


def test_an_editor_downloads_what_they_may_read(library, tmp_path, client):
    a_work({"B 1:1": "Closed."}, key="closed", collection=a_collection("secret", "restricted"))
    editor = User.objects.create_user("editor", is_staff=True)
    editor.groups.add(Group.objects.get(name="editor"))
    client.force_login(editor)
    answer = client.get(reverse("admin:curation_pinnedquestion_library"))
    assert answer["Content-Disposition"] == 'attachment; filename="library.db"'
    (tmp_path / "got.db").write_bytes(answer.content)
    assert [work[0] for work in rows_of(tmp_path / "got.db")["works"]] == ["bible", "gita"]
    client.force_login(User.objects.create_user("reader", is_staff=True))
    assert client.get(reverse("admin:curation_pinnedquestion_library")).status_code == 403


@pytest.mark.parametrize("lacking", ["view_pinnedquestion", "view_memorynote", "view_fact", "view_work"])
def test_the_library_is_only_for_who_may_see_everything_in_it(lacking, client):
    person = User.objects.create_user("person", is_staff=True)
    needed = Permission.objects.filter(
        codename__in=["view_pinnedquestion", "view_memorynote", "view_fact", "view_work"]
    )
    person.user_permissions.set(needed)
    client.force_login(person)
    model = "memorynote" if lacking == "view_pinnedquestion" else "pinnedquestion"
    listed, file = reverse(f"admin:curation_{model}_changelist"), reverse(f"admin:curation_{model}_library")
    assert client.get(listed).context["library"] == file
    assert client.get(file).status_code == 200
    person.user_permissions.set(needed.exclude(codename=lacking))
    assert client.get(listed).context["library"] == ""
    assert client.get(file).status_code == 403


def test_a_refused_download_is_explained_in_the_editors_language(client):
    a_work({"A 1:1": "One."}, key="same")
    a_work({"A 1:1": "Two."}, key="same", collection=a_collection("other"))
    client.force_login(User.objects.create_superuser("boss"))
    page = client.get(
        reverse("admin:curation_pinnedquestion_library"), headers={"accept-language": "de"}, follow=True
    ).content.decode()
    assert "Zwei Werke haben den Schlüssel „same“." in page


odd = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=60)
words = st.text("ab ĀżआÉß'\"\n\r\t\u2028\u200b[{,;=&<", min_size=1, max_size=40)
texts = odd | words
ODDEST = "\u2028 ĀżआÉß'\"\n\r\t\x85\u200b[{,;=&<\\"


class RoundOfOddTexts(TestCase):
    """Rolled back after each example, which takes half a second."""

    @settings(max_examples=settings.default.max_examples // 4)
    @example(*[ODDEST] * 7)
    @given(question=texts, framing=texts, phrasing=texts, body=texts, trigger=texts, reference=texts, verse=texts)
    def test_odd_texts_come_back_as_they_were(self, question, framing, phrasing, body, trigger, reference, verse):
        from pathlib import Path
        from tempfile import TemporaryDirectory

        mark = uuid.uuid4().hex
        text = f"word {verse}"
        cleaned, title = clean_lines(text), clean(f"t {question}")
        draft = VerseDraft("A 1.1", "A", 1, 1, cleaned, clean_lines(framing), clean(phrasing), clean(body), text)
        work = WorkDraft("test", "odd", title, (draft,), "en", "A")
        work_store(draft=work, collection=a_collection(), source_hash="")
        a_pin(f"a{question}", [f"b{reference}"], [f"c{mark}{phrasing}"], framing=framing)
        a_note(f"d{question}", [f"e{reference}"], body=f"f{body}", triggers=[f"g{trigger}"])
        with TemporaryDirectory() as folder:
            the_same_after_a_round(Path(folder))
