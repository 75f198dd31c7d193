from datetime import timedelta

import pytest
from django.utils import timezone
from django_q.brokers import get_broker
from django_q.models import Schedule, Task
from django_q.signing import SignedPackage
from django_q.status import Stat, Status

from corpus.importers.drafts import VerseDraft, WorkDraft
from corpus.services.works import work_store
from operations import diagnosis
from operations.backup.newest import record_newest
from tests.factories import a_collection


@pytest.mark.django_db
def test_an_empty_installation_gets_remedies():
    findings = {finding.name: finding for finding in diagnosis.diagnose()}
    assert findings["database"].ok
    assert findings["migrations"].ok
    assert findings["jobs"].ok
    assert "manage.py prepare" in findings["corpus"].says
    assert "manage.py index" in findings["index"].says


@pytest.mark.django_db
def test_a_corpus_of_prose_alone_is_not_empty():
    prose = (VerseDraft("Preface 1", "Preface", None, None, "Prose."),)
    work_store(draft=WorkDraft("test", "essay", "Essay", prose), collection=a_collection(), source_hash="")
    assert diagnosis.CHECKS["corpus"]() == (True, "0 lectures, 0 verses, 1 library passages")


@pytest.mark.django_db
def test_overdue_and_failed_jobs_are_reported_until_they_succeed():
    Schedule.objects.filter(name="lectorium: index what changed").update(next_run=timezone.now() - timedelta(hours=3))
    ok, says = diagnosis.CHECKS["jobs"]()
    assert not ok
    assert says.startswith("lectorium: index what changed was due at")

    def ended(minute, **facts):
        at = timezone.now() + timedelta(minutes=minute)
        Task.objects.create(id=str(minute), name=str(minute), func="a.job", started=at, stopped=at, **facts)

    assert diagnosis.CHECKS["workers"]()[0]
    ended(1, success=False, result="OSError: disk gone\nat line 3")
    ok, says = diagnosis.CHECKS["workers"]()
    assert not ok
    assert says.endswith("OSError: disk gone")
    ended(2, success=True)
    assert diagnosis.CHECKS["workers"]()[0]


@pytest.mark.django_db
def test_with_redis_running_clusters_are_named_and_none_is_a_failure(settings):
    settings.REDIS_URL = "redis://here"
    assert diagnosis.CHECKS["workers"]() == (False, "no cluster is running: run manage.py qcluster")
    alive = Stat.__new__(Stat)
    Status.__init__(alive, 7, "cluster-1")
    alive.workers, alive.host, alive.broker = [8, 9], "far", None
    get_broker().set_stat(alive.key, SignedPackage.dumps(alive, True), 60)
    assert diagnosis.CHECKS["workers"]() == (True, "clusters: far:7 with 2")


def test_media_storage_is_tested_without_leaving_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    assert diagnosis.CHECKS["media"]() == (True, f"written, read and deleted in {tmp_path}")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    (tmp_path / "shut").write_text("a file where the folder should be", encoding="utf-8")
    settings.MEDIA_ROOT = tmp_path / "shut"
    finding = diagnosis._run("media", diagnosis.CHECKS["media"])
    assert not finding.ok


def test_backup_metrics_and_logs_are_reported(settings, tmp_path):
    def says(name):
        ok, words = diagnosis.CHECKS[name]()
        assert ok
        return words

    settings.STATE_DIR = tmp_path
    assert "manage.py backup" in says("backup")
    record_newest("site.backup")
    assert says("backup") == "site.backup, made 0 minutes ago on this machine"
    assert says("metrics").startswith("on for this machine only")
    settings.THIS_MACHINE_ONLY = False
    assert says("metrics").startswith("off")
    settings.METRICS_TOKEN = "a-token-of-some-length"
    assert says("metrics") == "on: /metrics requires LECTORIUM_METRICS_TOKEN"
    assert says("logs") == "plain lines, from INFO"


@pytest.mark.django_db
def test_a_raising_check_fails_alone(monkeypatch):
    def broken():
        raise OSError("disk gone")

    monkeypatch.setitem(diagnosis.CHECKS, "corpus", broken)
    findings = {finding.name: finding for finding in diagnosis.diagnose()}
    assert (findings["corpus"].ok, findings["corpus"].says) == (False, "OSError: disk gone")
    assert findings["jobs"].ok


@pytest.mark.parametrize(
    ("sign_up", "mail", "ok", "says"),
    [
        ("off", False, True, "sign-up: off"),
        ("invitation", False, True, "whose links you send"),
        ("open", False, False, "nobody gets the link to sign up"),
        ("open", True, True, "sign-up: open; Example University signs in"),
    ],
)
def test_open_sign_up_without_mail_is_reported(settings, sign_up, mail, ok, says):
    settings.SIGN_UP, settings.MAIL_CONFIGURED = sign_up, mail
    settings.OIDC_ISSUER, settings.OIDC_NAME = "https://id.test", "Example University"
    found = diagnosis.CHECKS["accounts"]()
    assert found[0] is ok
    assert says in found[1]
