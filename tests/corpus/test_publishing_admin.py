"""An editor publishes and withdraws from the list; who may only look cannot."""

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from corpus.models import Lecture
from tests.factories import a_lecture

pytestmark = pytest.mark.django_db
LIST = "admin:corpus_lecture_changelist"


def chosen(action, *lectures):
    return {"action": action, "_selected_action": [str(lecture.pk) for lecture in lectures]}


@pytest.fixture
def lecture():
    a_lecture("The soul lives on.")
    return Lecture.objects.get()


def test_a_withdrawn_lecture_is_found_by_no_look_up_until_it_is_published_again(lecture, admin_client):
    page = admin_client.post(reverse(LIST), chosen("withdraw", lecture), follow=True)
    assert "1 withdrawn." in page.content.decode()
    assert not lecture.chunks.filter(retrievable=True).exists()
    page = admin_client.post(reverse(LIST), chosen("withdraw", lecture), follow=True)
    assert "0 withdrawn, 1 already were." in page.content.decode()
    admin_client.post(reverse(LIST), chosen("publish", lecture), follow=True)
    assert lecture.chunks.filter(retrievable=True).exists()


def test_who_may_only_look_is_not_offered_it_and_cannot_do_it(lecture, client, django_user_model):
    auditor = django_user_model.objects.create_user("ann", password="ann-pass-1", is_staff=True)
    auditor.user_permissions.add(Permission.objects.get(codename="view_lecture"))
    client.force_login(auditor)
    assert 'value="withdraw"' not in client.get(reverse(LIST)).content.decode()
    client.post(reverse(LIST), chosen("withdraw", lecture), follow=True)
    assert Lecture.objects.get().state == Lecture.State.PUBLISHED
