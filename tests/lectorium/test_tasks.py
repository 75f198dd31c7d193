from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from django.utils.module_loading import import_string

from lectorium.schedules import JOBS
from lectorium.tasks import forget_sessions


@pytest.mark.django_db
def test_sessions_that_have_ended_are_deleted_and_the_others_stay():
    for _ in range(3):
        Client().get("/")
    ended = Session.objects.first()
    Session.objects.filter(pk=ended.pk).update(expire_date=timezone.now() - timedelta(seconds=1))
    forget_sessions()
    assert Session.objects.count() == 2
    assert not Session.objects.filter(pk=ended.pk).exists()


def test_every_job_names_a_task_that_there_is():
    assert all(callable(import_string(job.task)) for job in JOBS)
    assert "lectorium.tasks.forget_sessions" in {job.task for job in JOBS}
