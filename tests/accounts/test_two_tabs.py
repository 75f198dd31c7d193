"""Two tabs that open one link at the same moment make one account."""

import time
from threading import Barrier, Thread

import pytest
from django.contrib.auth.models import User
from django.db import connection

from accounts import services
from accounts.links import BadLink
from tests.accounts.conftest import PASSWORD


@pytest.mark.django_db(transaction=True)
def test_of_two_tabs_at_once_one_makes_the_account(monkeypatch):
    both, told = Barrier(2, timeout=5), []
    looked_up = services.account_with

    def slow(email):
        found = looked_up(email)
        time.sleep(0.3)  # without the lock, both have looked before either writes
        return found

    monkeypatch.setattr(services, "account_with", slow)

    def sign_up(name):
        both.wait()
        try:
            services.account_create(email="bob@site.test", username=name, password=PASSWORD)
        except BadLink as fault:
            told.append(str(fault))
        connection.close()

    tabs = [Thread(target=sign_up, args=[name]) for name in ("bob", "bobby")]
    for tab in tabs:
        tab.start()
    for tab in tabs:
        tab.join()
    assert User.objects.filter(email="bob@site.test").count() == 1
    assert len(told) == 1
    assert "has been used" in told[0]
