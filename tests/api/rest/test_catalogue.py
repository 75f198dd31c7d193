"""Lectures, works and sections over REST: what the token's owner may see, in pages."""

import pytest

from chat.api.domain.cursors import ListPosition, cursor_of
from corpus.models import Lecture, Work
from corpus.services import source_withdraw
from tests.api.conftest import later
from tests.factories import a_lecture

pytestmark = pytest.mark.django_db(transaction=True)


async def read(program, path):
    response = await program.get(path)
    assert response.status_code == 200, response.content
    return response.json()


async def all_pages(program, path, rows):
    """The rows of all pages, by the addresses of `next`."""
    found = []
    while path:
        page = await read(program, path)
        found += page[rows]
        path = page["next"]
    return found


async def test_lectures_are_listed_read_and_their_paragraphs_have_times(bob):
    page = await read(bob, "/api/v1/lectures?q=first+steps")
    [listed] = page["lectures"]
    assert (listed["title"], listed["speaker"], listed["date"]) == ("The First Steps", "A. Teacher", "1999-05-01")
    assert page["next"] is None
    assert (await read(bob, f"/api/v1/lectures/{listed['id']}"))["summary"] == ""
    sections = (await read(bob, f"/api/v1/lectures/{listed['id']}/sections"))["sections"]
    assert sections[0]["text"].startswith("When the first man")
    assert (sections[0]["start"], sections[0]["address"]) == (1.0, "first-steps:1")
    assert sections[0]["url"].startswith(f"/lectures/{listed['id']}/#t=1,")


async def test_a_work_is_read_from_an_address_on(bob):
    [work] = (await read(bob, "/api/v1/works"))["works"]
    assert (await read(bob, f"/api/v1/works/{work['id']}"))["sections"] == 2
    path = f"/api/v1/works/{work['id']}/sections"
    assert [row["address"] for row in (await read(bob, path))["sections"]] == ["BG 2.47", "BG 2.48"]
    [verse] = (await read(bob, f"{path}?at=bg+2.48"))["sections"]
    assert verse["text"].startswith("Stand in yoga")
    assert verse["url"].endswith("?at=BG%202.48")
    absent = await bob.get(f"{path}?at=BG+9.9")
    assert (absent.status_code, absent.json()["where"]) == (404, "at")
    assert "BG 9.9" in absent.json()["detail"]


async def test_pages_have_every_row_once_also_where_titles_are_the_same_and_rows_come_between(bob):
    for number in range(7):
        await later(a_lecture, key=f"talk-{number}", title=f"A talk {number}")
    await Lecture.objects.filter(key__startswith="talk").aupdate(title="A talk")
    first = await read(bob, "/api/v1/lectures?limit=3")
    await later(a_lecture, key="before", title="A before")
    rest = await all_pages(bob, first["next"], "lectures")
    keys = [row["key"] for row in first["lectures"] + rest]
    assert sorted(keys) == sorted([*(f"talk-{number}" for number in range(7)), "first-steps"])
    assert first["next"].startswith("/api/v1/lectures?")


async def test_conversations_are_listed_in_pages(bob):
    asked = [(await bob.ask("BG 2.47")).json()["conversation"] for _ in range(3)]
    listed = await all_pages(bob, "/api/v1/conversations?limit=2", "conversations")
    assert [row["id"] for row in listed] == asked[::-1]


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("limit=0", "limit"), ("limit=101", "limit"), ("limit=ten", "limit"), ("limit=", "limit"),
        ("cursor=x", "cursor"), ("cursor=%C3%A4", "cursor"),
    ],
)  # fmt: skip
async def test_a_bad_page_is_told_with_what_is_wrong(bob, query, where):
    response = await bob.get(f"/api/v1/lectures?{query}")
    assert (response.status_code, response.json()["code"], response.json()["where"]) == (400, "bad_request", where)


KEY = "00000000-0000-0000-0000-000000000007"


@pytest.mark.parametrize("position", [("A talk", KEY), ("2026-01-01T00:00:00+00:00", "a"), ("\0", KEY), ("", "")])
async def test_a_cursor_of_another_list_is_told_as_a_bad_one(bob, position):
    for path in ("/api/v1/conversations", *(["/api/v1/works"] if KEY not in position or "\0" in position else ())):
        response = await bob.get(f"{path}?cursor={cursor_of(ListPosition(*position))}")
        assert (response.status_code, response.json()["where"]) == (400, "cursor"), path


async def test_what_the_owner_may_not_see_looks_absent(alice, bob):
    hidden = await later(lambda: Lecture.objects.get(key="garden"))
    for path in (f"/api/v1/lectures/{hidden.pk}", f"/api/v1/lectures/{hidden.pk}/sections"):
        assert (await alice.get(path)).status_code == 200
        absent = path.replace(str(hidden.pk), "00000000-0000-0000-0000-000000000007")
        assert (await bob.get(path)).json() == (await bob.get(absent)).json()
    titles = [row["title"] for row in (await read(bob, "/api/v1/lectures"))["lectures"]]
    assert titles == ["The First Steps"]
    assert (await read(bob, "/api/v1/lectures?collection=garden"))["lectures"] == []
    await later(lambda: source_withdraw(source=Lecture.objects.get(key="garden")))
    await later(lambda: source_withdraw(source=Work.objects.get()))
    assert (await alice.get(f"/api/v1/lectures/{hidden.pk}")).status_code == 404
    assert (await read(alice, "/api/v1/works"))["works"] == []
