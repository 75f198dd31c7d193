"""Importing by hand: what is handed in is previewed, and stored only once an editor has said so."""

import errno
import json
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from corpus import tasks
from corpus.models import ChunkVector, Import, Lecture
from corpus.services import importing, queueing, uploads
from tests.corpus.files import wave
from tests.factories import a_collection, a_lecture

pytestmark = pytest.mark.django_db
ADD = "admin:corpus_import_add"


@pytest.fixture(autouse=True)
def media_in_a_temporary_folder(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def immediate_commits(monkeypatch):
    """Each test is one transaction that never commits; what waits for a commit is done at once."""
    monkeypatch.setattr("django.db.transaction.on_commit", lambda callback, **_: callback())


@pytest.fixture
def jobs(monkeypatch, immediate_commits):
    """What was queued, in order; `jobs()` does it as a worker would."""
    queued = []
    monkeypatch.setattr(queueing, "async_task", lambda name, *arguments: queued.append((name, arguments)))

    def work():
        while queued:
            name, arguments = queued.pop(0)
            getattr(tasks, name.rpartition(".")[2])(*arguments)

    work.queued = queued
    return work


def handed_in(client, *files):
    data = {"collection": a_collection().pk, "handed_in": [SimpleUploadedFile(*file) for file in files]}
    return client.post(reverse(ADD), data)


def decided(client, row, word):
    return client.post(reverse(f"admin:corpus_import_{word}", args=[row.pk]))


def test_a_preview_says_what_would_come_of_each_file_and_stores_nothing(admin_client, jobs):
    response = handed_in(admin_client, ("on-wonder.txt", b"Wonder is\n\nwhere it begins."), ("b.pdf", b"%PDF-1.4 no"))
    jobs()
    row = Import.objects.get()
    assert row.state == "previewed"
    assert row.counts == {"imported": 1, "changed": 0, "unchanged": 0, "refused": 1, "chunks": 1, "duplicates": 0}
    assert not Lecture.objects.exists()
    page = admin_client.get(response.url).content.decode()
    assert "On wonder" in page
    assert "Wonder is" in page
    assert "b.pdf</strong> is not a PDF that can be read" in page


def test_how_a_source_begins_ends_in_a_mark_where_it_is_cut(admin_client, jobs):
    handed_in(admin_client, ("long.txt", b"Wonder " * 30), ("short.txt", b"Wonder is where it begins."))
    jobs()
    long, short = (row[5] for row in Import.objects.get().outcomes)
    assert long.endswith("Wonder…")
    assert short == "Wonder is where it begins."


def test_a_bad_file_names_itself_and_lets_the_others_through(admin_client, jobs):
    response = handed_in(admin_client, ("a.txt", b"One."), ("b.pdf", b"%PDF-1.4 no"), ("c.txt", b"Three."))
    jobs()
    decided(admin_client, Import.objects.get(), "confirm")
    jobs()
    assert set(Lecture.objects.values_list("key", flat=True)) == {"a", "c"}
    row = Import.objects.get()
    assert (row.state, row.count("imported"), row.count("refused")) == ("done", 2, 1)
    assert "b.pdf</strong> is not a PDF that can be read" in admin_client.get(response.url).content.decode()


def test_a_preview_shows_the_first_chunks_of_each_source_and_what_its_duplicates_repeat(admin_client, jobs):
    talk = " ".join(f"Sentence {number} of the <b>talk</b>." for number in range(9))
    response = handed_in(admin_client, ("a.txt", talk.encode()), ("b.txt", talk.encode()))
    jobs()
    page = admin_client.get(response.url).content.decode()
    assert page.count("<summary>Its chunks") == 2
    assert "<strong>a:1</strong> Sentence 0 of the &lt;b&gt;talk&lt;/b&gt;." in page
    assert page.count("Shown from “A” instead") == 1
    assert "100 % of the wordings in common" in page
    decided(admin_client, Import.objects.get(), "confirm")
    jobs()
    assert "<summary>" not in admin_client.get(response.url).content.decode()


def test_a_preview_names_the_older_transcript_that_a_new_one_would_replace(admin_client, jobs):
    talk = " ".join(f"Sentence {number} of the talk." for number in range(9))
    a_lecture(talk, key="typed", title="On wonder")
    response = handed_in(admin_client, ("heard.md", f"# On wonder\n\n{talk}\n".encode()))
    jobs()
    remark = "replaces typed, which has the same title and half of the wording in common"
    assert f"<small>{remark}</small>" in admin_client.get(response.url).content.decode()
    assert Lecture.objects.get().state == "published"
    decided(admin_client, Import.objects.get(), "confirm")
    jobs()
    assert Lecture.objects.get(key="typed").state == "replaced"


def test_a_preview_counts_the_near_duplicates_of_each_file_and_a_done_import_does_not(admin_client, jobs):
    talk = " ".join(f"Sentence {number} of the talk." for number in range(9))
    response = handed_in(admin_client, ("a.txt", talk.encode()), ("b.txt", talk.encode()))
    jobs()
    page = admin_client.get(response.url).content.decode()
    assert "<dt>Near-duplicates</dt><dd>1</dd>" in page
    assert "<small>1 of 1 new chunk is a near-duplicate of “A”, which search shows instead</small>" in page
    decided(admin_client, Import.objects.get(), "confirm")
    jobs()
    assert "Near-duplicates" not in admin_client.get(response.url).content.decode()


def test_what_was_imported_is_embedded_by_the_next_job(admin_client, jobs):
    handed_in(admin_client, ("a.txt", b"One."))
    jobs()
    decided(admin_client, Import.objects.get(), "confirm")
    jobs()
    assert ChunkVector.objects.get().chunk.lecture.key == "a"


def test_a_confirmed_import_is_stored_and_its_files_are_forgotten(admin_client, jobs):
    handed_in(admin_client, ("a.txt", b"One."))
    jobs()
    row = Import.objects.get()
    assert default_storage.exists(f"imports/{row.pk}/0")
    decided(admin_client, row, "confirm")
    jobs()
    row.refresh_from_db()
    assert (row.state, row.by.username, Lecture.objects.get().key) == ("done", "admin", "a")
    assert row.finished_at
    assert not default_storage.exists(f"imports/{row.pk}")


def test_a_transcript_finds_the_recording_that_waited_for_it(admin_client, jobs):
    for files in ((("talk.wav", wave()),), (("talk.vtt", b"WEBVTT\n\n00:00.000 --> 00:01.000\nHello.\n"),)):
        handed_in(admin_client, *files)
        jobs()
        decided(admin_client, Import.objects.first(), "confirm")
        jobs()
    lecture = Lecture.objects.get()
    assert (lecture.text, lecture.media_seconds) == ("Hello.", 0.5)
    assert lecture.media.name.endswith(".wav")


def test_an_import_is_decided_once(admin_client, jobs):
    handed_in(admin_client, ("a.txt", b"One."))
    jobs()
    row = Import.objects.get()
    decided(admin_client, row, "discard")
    decided(admin_client, row, "confirm")
    jobs()
    row.refresh_from_db()
    assert row.state == "discarded"
    assert not Lecture.objects.exists()
    assert not default_storage.exists(f"imports/{row.pk}/0")


def test_a_job_that_is_run_twice_does_nothing_the_second_time(admin_client, jobs):
    handed_in(admin_client, ("a.txt", b"One."))
    (_, arguments), *_ = jobs.queued
    jobs()
    assert tasks.preview_import(*arguments) == "nothing to do"


def test_a_broken_disk_is_said_in_the_history(admin_client, jobs):
    handed_in(admin_client, ("a.txt", b"One."))
    row = Import.objects.get()
    default_storage.delete(f"imports/{row.pk}/0")
    with pytest.raises(FileNotFoundError):
        jobs()
    row.refresh_from_db()
    assert row.state == "failed"
    page = admin_client.get(reverse("admin:corpus_import_change", args=[row.pk]))
    assert "FileNotFoundError" in page.content.decode()


def test_an_import_that_breaks_our_own_code_is_said_and_can_be_discarded(admin_client, jobs, monkeypatch, caplog):
    handed_in(admin_client, ("a.txt", b"One."))
    monkeypatch.setattr(uploads, "sources_import", lambda **_: [][0])
    with pytest.raises(IndexError):
        jobs()
    row = Import.objects.get()
    assert row.problem == "It failed (IndexError: list index out of range); see the worker's log."
    assert "Traceback" in caplog.text
    assert row.state == "failed"
    decided(admin_client, row, "discard")
    assert Import.objects.get().state == "discarded"


@pytest.mark.parametrize("state", ["uploaded", "previewed", "confirmed", "failed"])
def test_every_unfinished_import_can_be_discarded(admin_client, jobs, state):
    handed_in(admin_client, ("a.txt", b"One."))
    Import.objects.update(state=state)
    row = Import.objects.get()
    page = admin_client.get(reverse("admin:corpus_import_change", args=[row.pk])).content.decode()
    assert 'value="Discard"' in page
    decided(admin_client, row, "discard")
    assert Import.objects.get().state == "discarded"
    assert not default_storage.exists(f"imports/{row.pk}/0")


def test_an_import_that_is_discarded_while_a_worker_is_at_it_stops(admin_client, jobs, monkeypatch):
    monkeypatch.setattr(uploads, "PROGRESS_STEP", 1)
    handed_in(admin_client, *((f"{n}.txt", b"One.") for n in range(3)))
    jobs()
    row = Import.objects.get()
    hashed = importing.source_hash

    def discarded_meanwhile(*given):
        uploads.import_discard(import_id=row.pk)
        return hashed(*given)

    monkeypatch.setattr(importing, "source_hash", discarded_meanwhile)
    decided(admin_client, row, "confirm")
    jobs()
    row.refresh_from_db()
    assert row.state == "discarded"
    assert not Lecture.objects.exists()


@pytest.mark.parametrize("state", ["uploaded", "confirmed"])
def test_an_import_whose_worker_was_killed_is_marked_failed_once_no_attempt_can_come(admin_client, jobs, state):
    handed_in(admin_client, ("a.txt", b"One."))
    Import.objects.update(state=state, touched_at=timezone.now() - timedelta(hours=3))
    assert tasks.tidy_imports().startswith("0 abandoned")
    Import.objects.update(touched_at=timezone.now() - timedelta(hours=5))
    assert tasks.tidy_imports().startswith("1 abandoned")
    row = Import.objects.get()
    assert (row.state, row.problem.endswith("see its log.")) == ("failed", True)
    assert row.finished_at
    jobs()
    assert Import.objects.get().state == "failed"


@pytest.mark.parametrize("state", ["previewed", "done", "discarded"])
def test_an_import_that_no_worker_is_at_is_never_abandoned(admin_client, jobs, state):
    handed_in(admin_client, ("a.txt", b"One."))
    Import.objects.update(state=state, touched_at=timezone.now() - timedelta(hours=4))
    tasks.tidy_imports()
    assert Import.objects.get().state == state


def test_what_is_confirmed_late_is_not_taken_for_abandoned(admin_client, jobs):
    handed_in(admin_client, ("a.txt", b"One."))
    jobs()
    Import.objects.update(created_at=timezone.now() - timedelta(days=3), touched_at=timezone.now() - timedelta(days=3))
    decided(admin_client, Import.objects.get(), "confirm")
    tasks.tidy_imports()
    assert Import.objects.get().state == "confirmed"


def test_an_import_that_takes_too_long_fails_before_its_worker_is_killed(admin_client, jobs, monkeypatch):
    handed_in(admin_client, ("a.txt", b"One."))
    monkeypatch.setattr(uploads, "DEADLINE", -1.0)
    with pytest.raises(uploads._ImportOverdue):
        jobs()
    row = Import.objects.get()
    assert (row.state, row.problem.endswith("upload the files in several parts.")) == ("failed", True)


def test_a_disk_that_fills_while_files_are_kept_is_a_form_error_and_keeps_none(
    admin_client, jobs, monkeypatch, settings
):
    save, kept = default_storage.save, []

    def full(name, content):
        kept.append(name)
        if len(kept) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")
        return save(name, content)

    monkeypatch.setattr(default_storage, "save", full)
    response = handed_in(admin_client, ("a.txt", b"One."), ("b.txt", b"Two."))
    assert response.status_code == 200
    assert "The files could not be stored (No space left on device)" in response.content.decode()
    assert not Import.objects.exists()
    assert not jobs.queued
    assert not [path for path in settings.MEDIA_ROOT.rglob("*") if path.is_file()]


def test_a_name_that_is_too_long_for_the_disk_is_taken_and_a_recording_finds_it(admin_client, jobs):
    handed_in(admin_client, ("ॐ" * 100 + ".txt", b"One."), ("ॐ" * 100 + ".wav", wave()))
    jobs()
    row = Import.objects.get()
    assert (row.state, row.count("imported"), row.count("refused")) == ("previewed", 1, 0)
    page = admin_client.get(reverse("admin:corpus_import_changelist")).content.decode()
    assert "2 files" in page
    decided(admin_client, row, "confirm")
    jobs()
    assert Lecture.objects.get().media_seconds == 0.5


def test_uploads_that_nobody_confirms_go_with_their_files(admin_client, jobs, settings):
    for state, days in (("previewed", 13), ("previewed", 15), ("failed", 15)):
        row = Import.objects.get(pk=handed_in(admin_client, ("a.txt", b"One.")).url.split("/")[-3])
        Import.objects.filter(pk=row.pk).update(state=state, touched_at=timezone.now() - timedelta(days=days))
    settings.UPLOAD_DAYS = 0
    assert tasks.tidy_imports().endswith("0 old uploads discarded")
    settings.UPLOAD_DAYS = 14
    assert tasks.tidy_imports().endswith("2 old uploads discarded")
    assert tasks.tidy_imports().endswith("0 old uploads discarded")
    left = Import.objects.get(state="previewed")
    assert Import.objects.filter(state="discarded", problem="Not confirmed within 14 days.").count() == 1
    kept = [path for path in settings.MEDIA_ROOT.rglob("*") if path.is_file()]
    assert kept == [settings.MEDIA_ROOT / "imports" / str(left.pk) / "0"]


def test_every_file_that_is_handed_in_is_told(admin_client, jobs):
    rows = json.dumps([{"_id": "talk", "title": "A talk", "text": "One."}]).encode()
    given = ["a.vtt", "a.wav", "talk.json", "broken.json", "corpus.jsonl", "notes.html", ".hidden.txt", "readme.md"]
    contents = [b"WEBVTT\n\n00:00.000 --> 00:01.000\nHello.\n", wave(), rows, b"[", b'{"_id": "b", "text": "Two."}',
                b"<p>x", b"Three.", b"Four."]  # fmt: skip
    handed_in(admin_client, *zip(given, contents, strict=True))
    jobs()
    told = {row[0].split(" ")[0]: (row[1], row[3]) for row in Import.objects.get().outcomes}
    assert told.keys() == {*given} - {"a.wav"}  # it joins a.vtt
    assert {name for name, (state, _) in told.items() if state == "refused"} == {"broken.json", "notes.html"}
    assert "convert it to one of .vtt .srt" in told["notes.html"][1]
    assert "is not JSON" in told["broken.json"][1]


def test_two_files_of_one_name_are_not_taken(admin_client, jobs):
    response = handed_in(admin_client, ("a.txt", b"One."), ("a.txt", b"Two."))
    assert "Two files are called a.txt" in response.content.decode()
    assert not Import.objects.exists()


def test_indexing_can_be_queued_by_hand(admin_client, jobs):
    assert admin_client.get(reverse("admin:corpus_index_now")).status_code == 405
    admin_client.post(reverse("admin:corpus_index_now"))
    assert jobs.queued == [("corpus.tasks.index_corpus", ())]


def test_an_import_that_cannot_be_is_not_found(admin_client):
    base = reverse("admin:corpus_import_changelist")
    for name in ("add/widgets.css", "11111111-1111-4111-8111-111111111111"):
        assert admin_client.get(f"{base}{name}/change/").status_code == 404


def test_who_may_only_look_sees_the_history_and_changes_nothing(client, admin_client, jobs):
    handed_in(admin_client, ("a.txt", b"One."))
    jobs()
    row = Import.objects.get()
    onlooker = User.objects.create_user("maria", is_staff=True)
    onlooker.user_permissions.add(Permission.objects.get(codename="view_import"))
    client.force_login(onlooker)
    assert client.get(reverse("admin:corpus_import_changelist")).status_code == 200
    assert b"confirm/" not in client.get(reverse("admin:corpus_import_change", args=[row.pk])).content
    assert handed_in(client, ("b.txt", b"Two.")).status_code == 403
    assert decided(client, row, "confirm").status_code == 403
    assert client.post(reverse("admin:corpus_index_now")).status_code == 403
