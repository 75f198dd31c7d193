"""A recording without a transcript waits, is transcribed by a service, reviewed, and imported as any lecture."""

import sys
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse

from corpus import tasks
from corpus.domain.transcription import PieceRules
from corpus.importers.refusal import ImportRefused
from corpus.models import Chunk, Import, Lecture, Transcription
from corpus.services import queueing, sources_import, transcribing, waiting_recordings
from corpus.services.transcripts import transcript_accept, transcript_again, transcript_discard, transcript_edit
from corpus.services.watching import folder_import
from lectorium.ladder.models import Budget, Rung, Usage
from lectorium.providers.endpoint import Endpoint
from lectorium.providers.posted.speech_endpoint import speech_model
from tests.corpus.files import wave
from tests.corpus.speech_server import KEY, heard, speech_service
from tests.factories import a_collection

pytestmark = [pytest.mark.django_db, pytest.mark.model]  # a server of our own stands for the model
TALK = heard((0.0, 0.2, "Wonder is where it begins."), (0.25, 0.5, "Then thought follows."))


@pytest.fixture(autouse=True)
def jobs(settings, tmp_path, monkeypatch):
    """What was queued, in order; `jobs()` does it as a worker would."""
    settings.MEDIA_ROOT = tmp_path / "media"
    queued = []
    monkeypatch.setattr("django.db.transaction.on_commit", lambda callback, **_: callback())
    monkeypatch.setattr(queueing, "async_task", lambda name, *arguments: queued.append((name, arguments)))

    def work():
        while queued:
            name, arguments = queued.pop(0)
            getattr(tasks, name.rpartition(".")[2])(*arguments)

    work.queued = queued
    return work


@pytest.fixture
def service(settings):
    with speech_service() as service:
        service.answers = [TALK]
        settings.CHAT_ENDPOINTS = {"ear": Endpoint("ear", service.url, KEY)}
        settings.TRANSCRIBE_SECONDS = 5.0
        speech_model.cache_clear()
        Rung.objects.create(job="transcribe", model="ear:whisper-1")
        yield service
        speech_model.cache_clear()


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "talks"
    folder.mkdir()
    (folder / "on-wonder.wav").write_bytes(wave())
    return folder


def imported(folder):
    return sources_import(paths=[folder], collection=a_collection())


def page_of(row):
    return reverse("admin:corpus_transcription_change", args=[row.pk])


def drafted(folder, jobs):
    imported(folder)
    jobs()
    return Transcription.objects.get()


def test_a_recording_without_a_transcript_waits_and_the_import_says_so_without_a_model(folder, jobs):
    (outcome,) = imported(folder).outcomes
    assert outcome.remark == waiting_recordings.WAITS_FOR_MODEL
    assert (Transcription.objects.get().state, jobs.queued) == ("waiting", [])
    assert tasks.transcribe_due() == "0 recordings queued for transcription"


def test_a_command_says_that_the_recording_waits(folder, capsys):
    call_command("import_lectures", folder, verbosity=0)
    assert "on-wonder.wav: a recording without a transcript: it waits for one" in capsys.readouterr().out


def test_a_preview_says_that_the_recording_waits_and_stores_nothing(admin_client, jobs):
    files = [SimpleUploadedFile("talk.wav", wave())]
    response = admin_client.post(
        reverse("admin:corpus_import_add"), {"collection": a_collection().pk, "handed_in": files}
    )
    jobs()
    assert "no model does the job “transcribe”" in admin_client.get(response.url).content.decode()
    assert not Transcription.objects.exists()


def test_a_recording_is_sent_whole_and_its_draft_waits_for_review(folder, jobs, service):
    row = drafted(folder, jobs)
    assert (row.state, row.model, row.language) == ("review", "ear:whisper-1", "en")
    assert row.lines == [[0.0, 0.2, "Wonder is where it begins."], [0.25, 0.5, "Then thought follows."]]
    (asked,) = service.asked
    assert asked.path == "/v1/audio/transcriptions"
    assert asked.headers["Authorization"] == f"Bearer {KEY}"
    assert asked.values("file") == [wave()]
    assert asked.values("response_format") == [b"verbose_json"]
    assert asked.values("timestamp_granularities[]") == [b"segment", b"word"]
    assert Usage.objects.get(job="transcribe").calls == 1


def test_a_draft_is_neither_searched_nor_quoted_before_it_is_accepted(folder, jobs, service):
    drafted(folder, jobs)
    assert (Lecture.objects.get().text, Chunk.objects.count()) == ("", 0)


def test_an_accepted_draft_becomes_the_lectures_transcript_with_its_recording(folder, jobs, service, admin_user):
    row = drafted(folder, jobs)
    transcript_edit(transcription_id=row.pk, texts={1: "Then  thought\x00 follows it."})
    transcript_accept(transcription_id=row.pk, by=admin_user)
    lecture = Lecture.objects.get()
    assert lecture.text == "Wonder is where it begins. Then thought\u2400 follows it."
    assert lecture.media.name == row.media
    assert [cue[2:] for cue in lecture.cues] == [[0.0, 0.2], [0.25, 0.5]]
    assert Chunk.objects.get().lecture == lecture
    row.refresh_from_db()
    assert (row.state, row.by) == ("imported", admin_user)
    assert Import.objects.get(by=admin_user).counts["changed"] == 1
    assert jobs.queued == [("corpus.tasks.index_corpus", ())]


def test_the_recordings_file_in_a_watched_folder_stays_unchanged_after_the_draft_was_accepted(
    folder, jobs, service, admin_user
):
    row = drafted(folder, jobs)
    transcript_accept(transcription_id=row.pk, by=admin_user)
    report = folder_import(folder=folder, collection=Lecture.objects.get().collection)
    assert [outcome.state for outcome in report.outcomes] == ["unchanged"]
    assert Lecture.objects.get().text


def test_a_draft_that_cannot_be_stored_leaves_everything_as_it_was(folder, jobs, service, admin_user):
    row = drafted(folder, jobs)
    transcript_edit(transcription_id=row.pk, texts={0: "", 1: " "})
    with pytest.raises(ImportRefused, match="no line has words"):
        transcript_accept(transcription_id=row.pk, by=admin_user)
    row.refresh_from_db()
    assert (row.state, Lecture.objects.get().text, Import.objects.count()) == ("review", "", 0)


def test_a_transcript_that_came_meanwhile_is_kept(folder, jobs, service, admin_user):
    row = drafted(folder, jobs)
    (folder / "on-wonder.vtt").write_text("WEBVTT\n\n00:00.000 --> 00:00.400\nTyped by hand.\n")
    imported(folder)
    with pytest.raises(ImportRefused, match="has a transcript by now"):
        transcript_accept(transcription_id=row.pk, by=admin_user)
    assert Lecture.objects.get().text == "Typed by hand."


def test_a_waiting_recording_whose_transcript_came_is_not_sent(folder, jobs, service):
    imported(folder)
    (folder / "on-wonder.vtt").write_text("WEBVTT\n\n00:00.000 --> 00:00.400\nTyped by hand.\n")
    imported(folder)
    jobs()
    assert (Transcription.objects.get().state, service.asked) == ("discarded", [])


def test_another_recording_of_the_lecture_begins_anew(folder, jobs, service):
    drafted(folder, jobs)
    (folder / "on-wonder.wav").write_bytes(wave(8000))
    imported(folder)
    row = Transcription.objects.get()
    assert (row.state, row.lines) == ("waiting", [])
    jobs()
    assert service.asked[-1].values("file") == [wave(8000)]


def test_a_discarded_draft_leaves_the_recording_and_can_be_made_again(folder, jobs, service, admin_user):
    row = drafted(folder, jobs)
    assert transcript_discard(transcription_id=row.pk, by=admin_user)
    row.refresh_from_db()
    assert (row.state, row.lines, bool(Lecture.objects.get().media)) == ("discarded", [], True)
    assert transcript_again(transcription_id=row.pk)
    jobs()
    row.refresh_from_db()
    assert row.state == "review"


def test_a_run_that_was_discarded_meanwhile_stores_nothing(folder, jobs, service, admin_user, monkeypatch):
    imported(folder)
    row = Transcription.objects.get()
    whole = transcribing.transcribe

    def discarded_meanwhile(key, path):
        transcript_discard(transcription_id=row.pk, by=admin_user)
        return whole(key, path)

    monkeypatch.setattr(transcribing, "transcribe", discarded_meanwhile)
    jobs()
    row.refresh_from_db()
    assert (row.state, row.heard, row.lines) == ("discarded", [], [])


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"<html>Not found</html>", "must answer in verbose_json, with the seconds of each segment"),
        ({"text": "Words without times."}, "must answer in verbose_json"),
        (b'{"text": "x", "segments": [{"start": NaN, "end": 1, "text": "x"}]}', "must answer in verbose_json"),
        ({"text": "", "segments": []}, "ear:whisper-1 heard no words in it; if there is speech, transcribe again"),
        (heard((0.3, 0.4, "b"), (0.0, 0.1, "a")), "impossible times (cue 2 starts at 0:00:00.000, but cue 1"),
        (heard((0.0, 9.0, "a")), "impossible times (cue 1 ends at 0:00:09.000, but the recording at 0:00:00.500)"),
        ((401, {"error": "no such key"}), "ask an operator to check the job “transcribe”; then transcribe again."),
        ((400, {"error": "not audio"}), "Export the recording in another format, or ask an operator"),
    ],
)
def test_a_useless_answer_fails_with_its_reason_and_keeps_the_recording(folder, jobs, service, answer, said):
    service.answers = [answer]
    row = drafted(folder, jobs)
    assert row.state == "failed"
    assert said in row.problem
    assert "The recording and what was heard before are kept." in row.problem
    assert KEY not in row.problem
    assert Lecture.objects.get().media
    service.answers = [TALK]
    transcript_again(transcription_id=row.pk)
    jobs()
    row.refresh_from_db()
    assert (row.state, row.problem) == ("review", "")


def test_a_service_that_is_down_is_tried_five_times_by_the_hourly_job(folder, jobs, service, monkeypatch):
    service.answers = [(503, {"error": "overloaded"})]
    monkeypatch.setattr("lectorium.providers.deadlines.Deadlines.wait_before", lambda *_: None)
    row = drafted(folder, jobs)
    assert (row.state, row.attempts) == ("waiting", 1)
    assert row.problem.endswith("Tried 1 of 5 times; the next try is within the hour.")
    for _ in range(4):
        tasks.transcribe_due()
        jobs()
    row.refresh_from_db()
    assert row.state == "failed"
    assert "It was tried 5 times; transcribe again once the service answers." in row.problem
    assert len(service.asked) == 5


def test_a_service_that_cannot_be_reached_says_so(folder, jobs, service, settings):
    settings.CHAT_ENDPOINTS = {"ear": Endpoint("ear", "http://127.0.0.1:9/v1", KEY)}
    speech_model.cache_clear()
    row = drafted(folder, jobs)
    assert (row.state, row.attempts) == ("waiting", 1)
    assert "ear:whisper-1: ConnectError" in row.problem


def test_a_redirect_of_the_service_is_not_followed(folder, jobs, service):
    service.answers = [(302, {})]
    assert drafted(folder, jobs).state == "failed"
    assert len(service.asked) == 1


def test_a_recording_waits_for_a_budget_that_is_used_up(folder, jobs, service):
    Budget.objects.create(job="transcribe", tokens_a_day=0)
    row = drafted(folder, jobs)
    assert (row.state, row.attempts, service.asked) == ("waiting", 0, [])
    assert "budget for transcribe is used up" in row.problem


def test_a_run_whose_worker_was_killed_goes_on(folder, jobs, service):
    imported(folder)
    jobs.queued.clear()
    long_ago = "2020-01-01T00:00:00Z"
    Transcription.objects.update(state="transcribing", touched_at=long_ago)
    tasks.transcribe_due()
    jobs()
    assert Transcription.objects.get().state == "review"


def test_a_recording_from_before_there_were_transcriptions_is_transcribed(folder, jobs, service):
    imported(folder)
    jobs.queued.clear()
    Transcription.objects.all().delete()
    tasks.transcribe_due()
    jobs()
    assert Transcription.objects.get().state == "review"


@pytest.fixture
def limit(settings, monkeypatch):
    """A service takes 1,000 bytes at once."""
    monkeypatch.setattr("corpus.services.recording_pieces.MEGABYTE", 1000)
    settings.TRANSCRIBE_MB = 1


@pytest.fixture
def ffmpeg(tmp_path, limit, folder, monkeypatch):
    """A program that writes its arguments into the piece, and a recording of two seconds, sent in three pieces."""
    program = tmp_path / "bin" / "ffmpeg"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nimport sys\nopen(sys.argv[-1], 'w').write(' '.join(sys.argv[1:-1]))\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    monkeypatch.setattr("corpus.services.recording_pieces.PIECES", PieceRules(seconds=0.8, overlap_s=0.2))
    (folder / "on-wonder.wav").write_bytes(wave(16_000))
    return program


def test_a_recording_over_the_limit_without_ffmpeg_says_what_to_do(folder, jobs, service, limit, monkeypatch):
    monkeypatch.setenv("PATH", str(folder))
    row = drafted(folder, jobs)
    assert row.state == "failed"
    assert "is 4.0 MB; a speech service is sent 1 MB at once (LECTORIUM_TRANSCRIBE_MB), and ffmpeg" in row.problem
    assert "install it and transcribe again, or import a smaller recording" in row.problem
    assert service.asked == []


def test_a_recording_over_the_limit_is_sent_in_pieces_and_joined(folder, jobs, service, ffmpeg):
    service.answers = [
        heard((0.0, 0.5, "One."), (0.55, 0.66, "Two.")),
        heard((0.0, 0.06, "Two."), (0.15, 0.7, "Three.")),
        heard((0.2, 0.8, "Four.")),
    ]
    row = drafted(folder, jobs)
    assert row.pieces == [pytest.approx(piece) for piece in ([0.0, 0.8], [0.6, 1.4], [1.2, 2.0])]
    assert [line[2] for line in row.lines] == ["One.", "Two.", "Three.", "Four."]
    assert row.lines[-1][:2] == pytest.approx([1.4, 2.0])
    sent = [asked.values("file")[0].decode() for asked in service.asked]
    assert ["-ss 0.600 -t 0.800" in piece and "-protocol_whitelist file -f wav" in piece for piece in sent] == [
        False, True, False,
    ]  # fmt: skip


def test_pieces_that_were_heard_are_not_sent_again(folder, jobs, service, ffmpeg, monkeypatch):
    monkeypatch.setattr("lectorium.providers.deadlines.Deadlines.wait_before", lambda *_: None)
    service.answers = [heard((0.0, 0.5, "One.")), (503, {}), heard((0.2, 0.5, "Two.")), heard((0.2, 0.5, "Three."))]
    row = drafted(folder, jobs)
    assert (row.state, len(row.heard)) == ("waiting", 1)
    assert row.problem.startswith("From 0:00:00.600 to 0:00:01.400: ear:whisper-1: HTTP 503")
    tasks.transcribe_due()
    jobs()
    row.refresh_from_db()
    assert [line[2] for line in row.lines] == ["One.", "Two.", "Three."]
    assert len(service.asked) == 4


def test_a_run_hands_over_to_the_next_at_its_deadline(folder, jobs, service, ffmpeg, monkeypatch):
    service.answers = [heard((0.2, 0.5, "Words."))]
    imported(folder)
    monkeypatch.setattr(transcribing, "DEADLINE", -1.0)
    name, arguments = jobs.queued.pop()
    assert tasks.transcribe_recording(*arguments) == "0 of 3 pieces"
    assert [queued for queued, _ in jobs.queued] == [name]
    monkeypatch.setattr(transcribing, "DEADLINE", 60.0)
    jobs()
    assert Transcription.objects.get().state == "review"


def test_a_recording_that_ffmpeg_cannot_cut_names_what_it_said(folder, jobs, service, ffmpeg):
    ffmpeg.write_text(f"#!{sys.executable}\nimport sys\nsys.exit('Invalid data found')\n")
    row = drafted(folder, jobs)
    assert row.state == "failed"
    assert "cannot be cut by ffmpeg (Invalid data found); export the recording again" in row.problem


def test_a_recording_that_is_gone_from_the_media_folder_says_so(folder, jobs, service, settings):
    imported(folder)
    Path(settings.MEDIA_ROOT, Lecture.objects.get().media.name).unlink()
    jobs()
    assert "is missing from the media folder; import the recording again" in Transcription.objects.get().problem


def test_a_recording_of_more_than_2_gb_is_refused_unread(folder, jobs):
    with (folder / "on-wonder.wav").open("r+b") as file:
        file.truncate(3 << 30)  # sparse
    (outcome,) = imported(folder).outcomes
    assert "is 3072 MB; a recording may have 2048 MB, so export it smaller" in outcome.problem
    assert not Lecture.objects.exists()


def test_a_file_that_is_no_recording_is_refused(folder, jobs):
    (folder / "on-wonder.wav").write_bytes(b"not a sound")
    (outcome,) = imported(folder).outcomes
    assert "is named .wav but has no readable audio; export the recording again" in outcome.problem
    assert not Transcription.objects.exists()


def test_an_editor_reads_the_draft_beside_the_player_edits_and_imports_it(admin_client, folder, jobs, service):
    service.answers = [heard((0.0, 0.2, "<b>Wonder</b> is."), (0.25, 0.5, "Then thought."))]
    row = drafted(folder, jobs)
    page = admin_client.get(page_of(row)).content.decode()
    assert reverse("lecture_media", args=[row.lecture_id]) in page
    assert 'data-start="0.25"' in page
    assert "&lt;b&gt;Wonder&lt;/b&gt; is." in page
    admin_client.post(page_of(row), {"do": "save", "line-0": "Wonder is."})
    assert Transcription.objects.get().lines[0][2] == "Wonder is."
    admin_client.post(page_of(row), {"do": "accept", "language": "nl", "line-1": "Then thought follows."})
    assert Lecture.objects.get().language == "nl"
    assert Lecture.objects.get().text == "Wonder is. Then thought follows."
    assert "<textarea" not in admin_client.get(page_of(row)).content.decode()


@pytest.mark.parametrize(
    ("line", "text", "said"),
    [
        ("line-7", "x", "line 8 is not in this draft, which was made anew; load the page again"),
        ("line-0", "x" * 5001, "line 1 has 5,001 characters; a line may have 5,000"),
    ],
)
def test_a_line_that_cannot_be_stored_is_named_and_nothing_changes(
    admin_client, folder, jobs, service, line, text, said
):
    row = drafted(folder, jobs)
    page = admin_client.post(page_of(row), {"do": "accept", "line-1": "Changed.", line: text}, follow=True)
    assert said in page.content.decode()
    assert Transcription.objects.get().lines == row.lines
    assert Lecture.objects.get().text == ""


@pytest.mark.parametrize("wanted", ["save", "accept"])
def test_a_language_that_is_no_code_is_refused_and_the_corrected_lines_are_kept(
    admin_client, folder, jobs, service, wanted
):
    row = drafted(folder, jobs)
    sent = {"do": wanted, "line-1": "Changed.", "language": "english"}
    page = admin_client.post(page_of(row), sent, follow=True).content.decode()
    assert "The lines are saved." in page
    assert "&#x27;english&#x27; is no code of a language; write it as en, de or pt-br" in page
    kept = Transcription.objects.get()
    assert (kept.lines[1][2], kept.language, kept.state) == ("Changed.", row.language, row.state)
    assert Lecture.objects.get().text == ""


def test_who_may_only_view_imports_sees_the_draft_and_decides_nothing(client, folder, jobs, service):
    row = drafted(folder, jobs)
    onlooker = User.objects.create_user("maria", is_staff=True)
    onlooker.user_permissions.add(Permission.objects.get(codename="view_import"))
    client.force_login(onlooker)
    page = client.get(page_of(row)).content.decode()
    assert "Wonder is where it begins." in page
    assert "<textarea" not in page
    assert client.post(page_of(row), {"do": "accept"}).status_code == 403
    assert Lecture.objects.get().text == ""


def test_a_long_draft_is_shown_and_edited_by_page(admin_client, folder, jobs, service):
    row = drafted(folder, jobs)
    lines = [[number, number + 0.5, f"Line {number}."] for number in range(450)]
    Transcription.objects.update(lines=lines)
    page = admin_client.get(f"{page_of(row)}?page=3").content.decode()
    assert "Page 3 of 3" in page
    assert page.count("<textarea") == 50
    admin_client.post(f"{page_of(row)}?page=3", {"do": "save", "line-449": "The last."})
    assert Transcription.objects.get().lines[449][2] == "The last."


def test_a_press_on_transcribe_again_never_overwrites_a_draft_under_review(admin_client, folder, jobs, service):
    row = drafted(folder, jobs)
    page = admin_client.post(page_of(row), {"do": "again"}, follow=True).content.decode()
    assert "This can no longer be done; the page shows how it stands." in page
    assert Transcription.objects.get().lines == row.lines


def test_a_draft_is_discarded_from_its_page(admin_client, folder, jobs, service):
    row = drafted(folder, jobs)
    assert "Transcribe again" in admin_client.post(page_of(row), {"do": "discard"}, follow=True).content.decode()
    assert Transcription.objects.get().state == "discarded"


def test_the_admin_home_names_drafts_to_review(admin_client, folder, jobs, service):
    drafted(folder, jobs)
    assert "1 drafted transcript" in admin_client.get(reverse("admin:index")).content.decode()


def test_where_all_models_fail_a_fault_that_may_pass_decides(folder, jobs, service, settings, monkeypatch):
    monkeypatch.setattr("lectorium.providers.deadlines.Deadlines.wait_before", lambda *_: None)
    Rung.objects.update(fallback="ear:other")
    service.answers = [(401, {}), (503, {})]
    assert drafted(folder, jobs).state == "waiting"
    assert [asked.values("model") for asked in service.asked] == [[b"whisper-1"], [b"other"]]
