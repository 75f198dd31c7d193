import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from lectorium.ladder.models import PromptText, Rung
from lectorium.ladder.prompts import shipped
from lectorium.ladder.selectors import chain, prompt

pytestmark = pytest.mark.django_db

NO_INLINES = {
    "versions-TOTAL_FORMS": 0, "versions-INITIAL_FORMS": 0, "versions-MIN_NUM_FORMS": 0, "versions-MAX_NUM_FORMS": 0,
}  # fmt: skip
ROW = {
    "job": "title", "model": "vllm:small", "percent": 100, "enabled": "on", "temperature": 0, "max_tokens": 20,
    "price_in": 0, "price_out": 0,
} | NO_INLINES  # fmt: skip


@pytest.fixture
def boss(client):
    client.force_login(User.objects.create_superuser("boss"))
    return client


def test_a_row_edited_in_admin_serves_the_next_turn(boss, services):
    assert boss.post(reverse("admin:ladder_rung_add"), ROW).status_code == 302
    row = Rung.objects.get()
    assert chain("title", "t")[0].model == "vllm:small"
    change = reverse("admin:ladder_rung_change", args=[row.pk])
    assert boss.post(change, ROW | {"model": "hosted:large"}).status_code == 302
    assert (chain("title", "t")[0].model, chain("title", "t")[0].version) == ("hosted:large", 2)
    page = boss.get(change).content.decode()
    assert "vllm:small" in page  # its history
    assert boss.post(reverse("admin:ladder_rung_delete", args=[row.pk])).status_code == 403


def test_a_wrong_row_is_refused_beside_its_field(boss, services):
    page = boss.post(reverse("admin:ladder_rung_add"), ROW | {"model": "elsewhere:x"}).content.decode()
    assert "must be PROVIDER:MODEL" in page
    assert not Rung.objects.exists()


def test_a_prompt_begins_with_the_text_that_counts_and_is_only_ever_added(boss):
    add = reverse("admin:ladder_prompttext_add")
    assert "You name conversations" in boss.get(add, {"name": "title"}).content.decode()
    assert boss.post(add, {"name": "title", "text": "# user\nName: {{question}}", "note": "x"}).status_code == 302
    written = PromptText.objects.get()
    assert (written.author, prompt("title").version) == ("boss", written.version)
    change = reverse("admin:ladder_prompttext_change", args=[written.pk])
    assert boss.get(change).status_code == 200
    assert boss.post(change, {"name": "title", "text": ""}).status_code == 403
    assert boss.post(add, {"name": "title", "text": ""}).status_code == 302
    assert prompt("title") == shipped("title")


def test_who_may_only_look_can_add_no_prompt(client):
    client.force_login(User.objects.create_user("auditor", is_staff=True))
    assert client.get(reverse("admin:ladder_prompttext_add")).status_code == 403


@pytest.mark.parametrize("page", ["rung", "prompttext", "budget", "usage"])
def test_every_list_opens(boss, page):
    assert boss.get(reverse(f"admin:ladder_{page}_changelist")).status_code == 200
