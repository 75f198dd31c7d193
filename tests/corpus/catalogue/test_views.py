import datetime
import re

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group, User
from django.core.files.base import ContentFile
from django.db import connections
from django.test import AsyncClient
from django.urls import reverse

from corpus.models import Collection, Lecture, Section, Work

pytestmark = pytest.mark.django_db
RECORDING = bytes(range(256)) * 400  # 102,400 bytes: more than one block


@pytest.fixture(autouse=True)
def media_folder(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def library():
    return Collection.objects.create(key="library", title="Library")


@pytest.fixture
def lecture(library):
    text = "The lamp does not flicker. It stands in a place without wind.\n\nSo stands the mind."
    lecture = Lecture.objects.create(
        collection=library,
        key="lamp",
        title="The <lamp>",
        speaker="A. Speaker",
        date=datetime.date(2024, 3, 5),
        source_hash="1",
        text=text,
        cues=[[0, 26, 10.0, 12.5], [27, 61, 12.5, 16.25], [63, 83, 18.0, 20.0]],
    )
    add_paragraph(lecture, 1, 0, 61, 10.0, 16.25)
    add_paragraph(lecture, 2, 63, 83, 18.0, 20.0)
    return lecture


def add_paragraph(lecture, ordinal, begin, end, start=None, stop=None):
    return Section.objects.create(
        lecture=lecture, ordinal=ordinal, address=f"lamp:{ordinal}", address_key=f"lamp {ordinal}",
        text=lecture.text[begin:end], char_start=begin, char_end=end, start=start, end=stop,
    )  # fmt: skip


def read(client, lecture):
    response = client.get(reverse("lecture", args=[lecture.pk]))
    assert response.status_code == 200
    return response.content.decode()


def test_a_transcript_shows_its_paragraphs_with_anchors_and_the_time_of_each_phrase(client, lecture):
    text = read(client, lecture)
    assert "The &lt;lamp&gt;" in text
    assert 'id="p-2"' in text
    assert '<a class="place" href="#p-2" data-at="18"' in text
    assert '<span data-start="12.5" data-end="16.25">It stands in a place without wind.</span>' in text
    assert "5 March 2024" in text


def test_a_lecture_without_a_recording_has_no_player(client, lecture):
    assert "<audio" not in read(client, lecture)
    assert client.get(reverse("lecture_media", args=[lecture.pk])).status_code == 404


def test_a_lecture_whose_recording_is_gone_from_the_folder_has_no_player(client, lecture):
    lecture.media.save("lamp.mp3", ContentFile(RECORDING))
    assert "<audio" in read(client, lecture)
    lecture.media.storage.delete(lecture.media.name)
    assert "<audio" not in read(client, lecture)


def test_a_recording_in_a_bucket_is_believed_without_asking_the_bucket(client, lecture, settings):
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    }
    Lecture.objects.update(media="lectures/lamp.mp3")
    assert "<audio" in read(client, lecture)


def test_a_paragraph_without_times_is_linked_by_its_anchor(client, lecture):
    Lecture.objects.update(cues=[])
    Section.objects.update(start=None, end=None)
    text = read(client, lecture)
    assert 'href="#p-2"' in text
    assert "data-start" not in text


def test_every_paragraph_can_be_linked_to_without_scripts_even_where_two_share_an_address(client, lecture):
    Section.objects.update(address="lamp")
    text = read(client, lecture)
    ids = re.findall(r'class="paragraph" id="([^"]+)"', text)
    assert ids == ["p-lamp", "s-2"]
    assert re.findall(r'class="place" href="#([^"]+)"', text) == ids


def test_long_transcripts_cost_no_more_queries(client, lecture, django_assert_num_queries):
    with django_assert_num_queries(3):
        read(client, lecture)
    for ordinal in range(3, 40):
        add_paragraph(lecture, ordinal, 0, 26)
    with django_assert_num_queries(3):
        read(client, lecture)


def test_sources_of_a_collection_are_hidden_from_those_who_may_not_know_of_it(client, lecture, library, gita):
    urls = [
        reverse("lecture", args=[lecture.pk]),
        reverse("lecture_media", args=[lecture.pk]),
        reverse("work", args=[gita.pk]),
    ]
    lecture.media.save("lamp.mp3", ContentFile(RECORDING))
    assert [client.head(url).status_code for url in urls] == [200, 200, 200]

    library.visibility = "members"
    library.save()
    assert [client.head(url).status_code for url in urls] == [404, 404, 404]
    reader = User.objects.create_user("reader")
    client.force_login(reader)
    assert [client.head(url).status_code for url in urls] == [200, 200, 200]

    library.visibility = "restricted"
    library.save()
    assert [client.head(url).status_code for url in urls] == [404, 404, 404]
    group = Group.objects.create(name="students")
    library.groups.add(group)
    reader.groups.add(group)
    assert [client.head(url).status_code for url in urls] == [200, 200, 200]


@pytest.fixture
def gita(library):
    work = Work.objects.create(collection=library, key="gita", title="Gītā", abbreviation="BG", source_hash="1")
    Section.objects.bulk_create(
        Section(work=work, ordinal=n, address=f"BG 2.{n}", address_key=f"bg 2 {n}", heading="BG 2", text=f"Verse {n}.")
        for n in range(1, 73)
    )
    return work


def test_a_work_opens_around_the_address_asked_for(client, gita):
    text = client.get(reverse("work", args=[gita.pk]), {"at": "BG 2.47"}).content.decode()
    assert text.count("marked") == 1
    assert 'id="s-47" aria-current="location"' in text
    assert "Verse 39." in text
    assert "Verse 38." not in text
    assert "Earlier: BG 2.38" in text


def test_a_works_words_are_in_its_language_its_originals_in_one_not_known_and_the_page_in_its_own(client, gita):
    Section.objects.filter(ordinal=1).update(original="dharma-kṣetre kuru-kṣetre")
    Work.objects.update(language="es")
    text = client.get(reverse("work", args=[gita.pk])).content.decode()
    assert '<div class="transcript" lang="es">' in text
    assert '<p class="original" lang="" dir="auto">dharma-kṣetre' in text
    assert '<article lang="es">' not in text


def test_an_address_is_found_however_it_is_written(client, gita):
    text = client.get(reverse("work", args=[gita.pk]), {"at": "bg 2:47"}).content.decode()
    assert 'id="s-47" aria-current="location"' in text


def test_a_work_begins_at_its_beginning_and_names_an_address_it_does_not_have(client, gita):
    text = client.get(reverse("work", args=[gita.pk]), {"at": "BG 99.1<b>"}).content.decode()
    assert "no section “BG 99.1&lt;b&gt;”" in text
    assert "Verse 1." in text
    assert "marked" not in text


async def fetched(lecture, method="get", **headers):
    request = getattr(AsyncClient(), method)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    response = await request(reverse("lecture_media", args=[lecture.pk]), headers=sent)
    await sync_to_async(connections.close_all)()  # the view's thread had a connection of its own
    body = b"".join([block async for block in response.streaming_content]) if response.streaming else response.content
    return response, body


@pytest.fixture(params=["django.core.files.storage.FileSystemStorage", "django.core.files.storage.InMemoryStorage"])
def recorded(lecture, request, settings):
    settings.STORAGES = {**settings.STORAGES, "default": {"BACKEND": request.param}}
    lecture.media.save("lamp.mp3", ContentFile(RECORDING))
    return lecture


@pytest.mark.django_db(transaction=True)
class TestARecording:
    async def test_is_sent_whole(self, recorded):
        response, body = await fetched(recorded)
        assert response.status_code == 200
        assert body == RECORDING
        assert response.headers["Content-Type"] == "audio/mpeg"
        assert response.headers["Accept-Ranges"] == "bytes"
        assert response.headers["Content-Length"] == str(len(RECORDING))

    async def test_is_sent_in_part(self, recorded):
        response, body = await fetched(recorded, range="bytes=1000-70999")
        assert response.status_code == 206
        assert body == RECORDING[1000:71000]
        assert response.headers["Content-Range"] == f"bytes 1000-70999/{len(RECORDING)}"
        assert response.headers["Content-Length"] == "70000"

    async def test_is_refused_beyond_its_end(self, recorded):
        response, body = await fetched(recorded, range=f"bytes={len(RECORDING)}-")
        assert response.status_code == 416
        assert response.headers["Content-Range"] == f"bytes */{len(RECORDING)}"
        assert body == b""

    async def test_is_described_without_being_sent(self, recorded):
        response, body = await fetched(recorded, "head")
        assert response.status_code == 200
        assert response.headers["Content-Length"] == str(len(RECORDING))
        assert body == b""

    async def test_is_sent_whole_where_it_has_changed_since(self, recorded):
        current = (await fetched(recorded, "head"))[0].headers["ETag"]
        assert (await fetched(recorded, range="bytes=0-9", if_range=current))[0].status_code == 206
        assert (await fetched(recorded, range="bytes=0-9", if_range='"older"'))[0].status_code == 200
        assert (await fetched(recorded, if_none_match=current))[0].status_code == 304

    async def test_that_is_gone_from_the_folder_is_not_found(self, recorded):
        recorded.media.storage.delete(recorded.media.name)
        assert (await fetched(recorded))[0].status_code == 404
