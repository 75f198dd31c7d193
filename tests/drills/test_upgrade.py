"""A database that an earlier revision filled: this one migrates it, keeps every row, and answers as on a fresh one."""

import json
import subprocess

import pytest

from tests.drills.site import PROJECT, QUESTION, DrillSite

pytestmark = pytest.mark.slow
REVISIONS = {
    "2026-11-22": "5312f47",  # the first whose migrations lead on to today's
    "2026-11-24": "0037e8e",
}
PINNED = "What is the drill about?"
QUESTIONS = [QUESTION, "BG 2.47", "Who taught the driver of the red bus to swim?", PINNED]
CURATE = f"""
from curation.models import MemoryNote, PinnedQuestion
PinnedQuestion.objects.create(question={PINNED!r}, references=["BG 2.47"], state="published")
MemoryNote.objects.create(title="Drills", body="They are about work.", references=["BG 2.48"], state="draft")
"""
KEPT = """SELECT
(SELECT count(*) FROM corpus_lecture), (SELECT count(*) FROM corpus_chunk), (SELECT count(*) FROM chat_turn),
(SELECT count(*) FROM curation_pinnedquestion WHERE state = 'published'), (SELECT count(*) FROM curation_memorynote)"""
FROM_TOMORROW = "INSERT INTO django_migrations (app, name, applied) VALUES ('chat', '9999_from_tomorrow', now())"


@pytest.fixture(params=REVISIONS.values(), ids=REVISIONS.keys())
def earlier_code(request, tmp_path):
    """The files of an earlier revision."""
    git = ["git", "-C", PROJECT]
    if subprocess.run([*git, "cat-file", "-e", f"{request.param}^{{commit}}"], capture_output=True).returncode:
        pytest.skip(f"This clone is too shallow to hold the revision {request.param}: git fetch --unshallow")
    archive = subprocess.run([*git, "archive", request.param], stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(["tar", "-x", "-C", tmp_path], input=archive, check=True)
    return tmp_path


def answers(site, folder):
    """Outcome and citations of each question."""
    asked, told = folder / "questions.jsonl", folder / "answers.jsonl"
    asked.write_text("".join(json.dumps({"id": n, "question": text}) + "\n" for n, text in enumerate(QUESTIONS)))
    site.manage("ask_file", asked, told, "--mode", "instant")
    rows = [json.loads(line) for line in told.read_text().splitlines()]
    return [(row["outcome"], sorted((cited["address"], cited["quote"]) for cited in row["citations"])) for row in rows]


def test_a_database_of_an_earlier_revision_is_migrated_and_answers_the_same(site, earlier_code, tmp_path):
    old = DrillSite(site.folder / "old", code=earlier_code)
    old.folder.mkdir()
    try:
        old.manage("migrate", "-v", "0")
        old.manage("import_lectures", PROJECT / "samples" / "lectures")
        old.manage("import_works", PROJECT / "samples" / "works")
        old.manage("index")
        old.manage("shell", "-c", CURATE)
        old.manage("ask", "BG 2.47")
        kept = old.query(KEPT)
        old.code = PROJECT
        old.manage("migrate", "-v", "0")
        assert old.query(KEPT) == kept
        old.manage("index")
        *found, pinned = answers(old, tmp_path)
        assert found == answers(site, tmp_path)[:-1]
        assert [outcome for outcome, _ in found[:2]] == ["grounded", "grounded"]
        assert pinned[0] == "grounded"
        assert {address for address, _ in pinned[1]} == {"BG 2.47"}
    finally:
        old.close()


def test_a_database_of_a_later_revision_is_refused_in_a_sentence_by_every_process(site):
    site.query(FROM_TOMORROW)
    said = "The database was migrated by a newer release of Lectorium: this one does not know chat.9999_from_tomorrow."
    for command in ("migrate", "prepare", "qcluster"):
        refused = site.manage(command, check=False)
        assert (refused.returncode, refused.stderr.splitlines()[-1].partition(said)[1]) == (1, said)
        assert "Traceback" not in refused.stderr
    web = site.start_web(wait="")
    assert web.wait(60) == 1
    assert site.log("web").read_text().startswith(said)
    assert "chat.9999_from_tomorrow" in site.manage("doctor", check=False).stdout
