import pytest
from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.urls import reverse

from corpus.models import Chunk, ChunkVector, Collection, EmbeddingSpace


def test_liveness_does_not_use_the_database(client):
    assert client.get(reverse("healthz")).content == b"ok"


def test_a_container_may_ask_by_its_address_and_without_https(client, settings):
    settings.ALLOWED_HOSTS, settings.SECURE_SSL_REDIRECT = ["lectures.example.org"], True
    assert client.get(reverse("healthz"), headers={"host": "172.18.0.4:8000"}).content == b"ok"


@pytest.mark.django_db
def test_readiness_names_missing_parts(client):
    def readiness():
        response = client.get(reverse("readyz"))
        return response.status_code, response.json()["missing"]

    status, missing = readiness()
    assert status == 503
    assert "No embedding space is in use" in missing[0]
    space = EmbeddingSpace.objects.create(model="small", width=3, state="serving")
    assert "has no vectors" in readiness()[1][0]
    collection = Collection.objects.create(key="library", title="Library")
    chunk = Chunk.objects.create(
        collection=collection, kind="lecture", ordinal=0, address="a:1", heading="A", text="A.", tokens=1,
        content_hash="1", folded_heading="a", folded_text="a",
    )  # fmt: skip
    ChunkVector.objects.create(
        chunk=chunk, collection_id=collection.pk, space=space, embedded_hash="1", embedding=[1, 0, 0]
    )
    status, missing = readiness()
    assert (status, len(missing)) == (503, 1)
    assert "'small' has no calibration" in missing[0]
    assert "manage.py calibrate" in missing[0]
    space.calibration = {"weights": {}, "bias": 0.0, "answer_from": 0.5, "outside_below": 0.2}
    space.save()
    assert readiness() == (200, [])


@pytest.mark.django_db
def test_readiness_reports_an_unreachable_database_without_details(client, monkeypatch):
    def away():
        raise OperationalError("connection to server at 10.1.2.3 failed")

    monkeypatch.setattr(connection, "cursor", away)
    response = client.get(reverse("readyz"))
    assert response.status_code == 503
    assert response.json() == {"ready": False, "missing": ["The database cannot be reached."], "degraded": []}


@pytest.mark.django_db
def test_signing_in_and_out_needs_post(client):
    User.objects.create_user("reader", password="willow-bark-88")
    response = client.post(reverse("login"), {"username": "reader", "password": "willow-bark-88"})
    assert response.headers["Location"] == reverse("chat")
    assert "Sign out" in client.get(reverse("chat")).content.decode()
    assert client.get(reverse("logout")).status_code == 405
    assert client.post(reverse("logout")).status_code == 302
    assert "Sign in" in client.get(reverse("chat")).content.decode()


@pytest.mark.django_db
def test_a_wrong_password_is_explained_and_does_not_redirect(client):
    text = client.post(
        f"{reverse('login')}?next=https://elsewhere.example/", {"username": "nobody", "password": "nothing"}
    ).content.decode()
    assert "Please enter a correct username and password" in text
    assert 'value="https://elsewhere.example/"' not in text


@pytest.mark.django_db
def test_an_unknown_url_gets_the_404_page(client):
    response = client.get("/nothing/")
    assert response.status_code == 404
    assert "There is nothing here" in response.content.decode()


@pytest.mark.django_db
def test_admin_uses_the_sites_theme(client):
    client.force_login(User.objects.create_superuser("boss"))
    text = client.get(reverse("admin:index")).content.decode()
    assert "css/admin.css" in text
    assert "style=" not in text


def test_a_process_is_not_ready_while_models_load(client, monkeypatch):
    monkeypatch.setattr("operations.warming.is_under_way", lambda: True)
    response = client.get(reverse("readyz"))
    assert (response.status_code, response.json()["missing"]) == (503, ["The models are still loading."])
