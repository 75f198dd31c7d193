import pytest

from lectorium import diagnosis


@pytest.mark.django_db
def test_an_empty_installation_is_told_what_to_run():
    findings = {finding.name: finding for finding in diagnosis.diagnose()}
    assert findings["database"].ok
    assert findings["migrations"].ok
    assert findings["jobs"].ok
    assert "manage.py prepare" in findings["corpus"].says
    assert "manage.py index" in findings["index"].says


@pytest.mark.django_db
def test_a_check_that_cannot_run_is_a_finding_and_the_rest_go_on(monkeypatch):
    def broken():
        raise OSError("disk gone")

    monkeypatch.setitem(diagnosis.CHECKS, "corpus", broken)
    findings = {finding.name: finding for finding in diagnosis.diagnose()}
    assert (findings["corpus"].ok, findings["corpus"].says) == (False, "OSError: disk gone")
    assert findings["jobs"].ok
