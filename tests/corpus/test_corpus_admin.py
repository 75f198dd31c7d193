"""The corpus in the admin: looked at, not edited, in a fixed number of queries."""

import pytest
from django.urls import reverse

from corpus.catalogue.addresses import shelf
from corpus.models import AddressScheme, Chunk, EmbeddingSpace, GlossaryEntry, IndexRun, Lecture, Section, Work
from tests.factories import a_collection, a_lecture, a_work

pytestmark = pytest.mark.django_db
MODELS = (Lecture, Work, Section, Chunk, EmbeddingSpace, IndexRun)


@pytest.fixture
def corpus():
    for n in range(12):
        a_lecture("One two.", "Three <b>four</b>.", key=f"talk-{n}", collection=a_collection(f"c{n}"))
        a_work({"John 11:35": "Jesus wept."}, key=f"work-{n}", collection=a_collection(f"c{n}"))
    space = EmbeddingSpace.objects.create(model="m", width=8)
    for _ in range(12):
        IndexRun.objects.create(space=space, total=3, worker="host:1")


def changelist(model):
    return reverse(f"admin:corpus_{model._meta.model_name}_changelist")


@pytest.mark.parametrize("model", MODELS)
def test_a_list_takes_as_many_queries_for_many_rows_as_for_one(
    model, corpus, admin_client, django_assert_max_num_queries
):
    with django_assert_max_num_queries(9):
        response = admin_client.get(changelist(model))
    assert response.status_code == 200
    assert b"<b>four</b>" not in response.content


@pytest.mark.parametrize("model", [model for model in MODELS if model is not Lecture])
def test_a_record_can_be_read_and_not_written(model, corpus, admin_client, django_assert_max_num_queries):
    url = reverse(f"admin:corpus_{model._meta.model_name}_change", args=[model.objects.first().pk])
    with django_assert_max_num_queries(9):
        response = admin_client.get(url)
    assert response.status_code == 200
    assert b'name="_save"' not in response.content
    assert admin_client.post(url, {}).status_code == 403


def test_a_lecture_links_to_its_sections_and_chunks(corpus, admin_client):
    lecture = Lecture.objects.first()
    for model, count in ((Section, 2), (Chunk, 1)):
        response = admin_client.get(changelist(model), {"lecture__id__exact": lecture.pk})
        assert response.context["cl"].result_count == count


@pytest.mark.parametrize("model", [Lecture, Work, Section, Chunk])
def test_search_works(model, corpus, admin_client):
    assert admin_client.get(changelist(model), {"q": "john 11"}).status_code == 200


def test_a_collection_can_be_edited(corpus, admin_client):
    url = reverse("admin:corpus_collection_change", args=[a_collection("c1").pk])
    assert admin_client.get(url).status_code == 200
    data = {"key": "c1", "title": "Renamed", "visibility": "members", "groups": []}
    assert admin_client.post(url, data).status_code == 302
    assert a_collection("c1").title == "Renamed"


def scheme(**changes):
    fields = {"label": "Enoch", "title": "Book of Enoch", "aliases": "1 Enoch", "levels": "chapter, verse"}
    return fields | {"separator": ":", "position": 90} | changes


def test_an_editor_adds_a_scheme_and_the_next_question_may_use_it(admin_client):
    response = admin_client.post(reverse("admin:corpus_addressscheme_add"), scheme())
    assert response.status_code == 302
    assert str(AddressScheme.objects.get(label="Enoch")) == "Enoch 1:2"
    assert shelf().book.schemes["first enoch"].address(1, 9) == "Enoch 1:9"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"levels": "verse"}, "two to four single words"),
        ({"levels": "part 1, verse"}, "two to four single words"),
        ({"aliases": "Gīta"}, "is already a name of Bhagavad-gītā"),
        ({"label": "BG"}, "already exists"),
    ],
)
def test_a_scheme_that_cannot_be_read_is_refused_in_words(admin_client, changes, said):
    AddressScheme.objects.update_or_create(label="BG", defaults={"title": "Bhagavad-gītā", "aliases": "gita"})
    response = admin_client.post(reverse("admin:corpus_addressscheme_add"), scheme(**changes))
    assert said in response.content.decode()


@pytest.mark.parametrize("model", [AddressScheme, GlossaryEntry])
def test_what_editors_keep_is_listed_in_few_queries(model, admin_client, django_assert_max_num_queries):
    with django_assert_max_num_queries(9):
        assert admin_client.get(changelist(model)).status_code == 200
