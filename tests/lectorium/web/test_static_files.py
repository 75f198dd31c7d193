import gzip
import shutil

import pytest

from lectorium.web import static_files

PAGE = "/static/js/page.js"
GZIP = {"accept-encoding": "gzip, deflate, br"}


@pytest.fixture(autouse=True)
def compressed_anew(settings, tmp_path):
    settings.STATE_DIR = tmp_path
    static_files._compressed.cache_clear()
    yield
    static_files._compressed.cache_clear()


def fetched(client, path, **headers):
    """The response of a file, read and closed, and its body."""
    response = client.get(path, headers=headers)
    sent = b"".join(response) if response.streaming else response.content
    response.close()
    return response, sent


def test_a_script_comes_compressed_to_whoever_takes_it(client, settings):
    (plain, script), (packed, sent) = fetched(client, PAGE), fetched(client, PAGE, **GZIP)
    assert script == (settings.BASE_DIR / "static/js/page.js").read_bytes() == gzip.decompress(sent)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert packed.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
    assert packed.headers["Content-Type"] == plain.headers["Content-Type"]
    assert int(packed.headers["Content-Length"]) == len(sent) < len(script) / 2


def test_a_script_that_has_not_changed_is_not_sent_again(client):
    tag = fetched(client, PAGE, **GZIP)[0].headers["ETag"]
    assert fetched(client, PAGE, **GZIP, **{"if-none-match": tag})[0].status_code == 304


def test_a_tiny_file_and_no_file_stay_as_they_are(client):
    assert "Content-Encoding" not in fetched(client, "/static/icon.svg", **GZIP)[0].headers
    assert fetched(client, "/static/js/absent.js", **GZIP)[0].status_code == 404


def test_where_copies_cannot_be_kept_files_are_served_as_they_are(client, tmp_path):
    (tmp_path / "static").write_text("in the way")
    assert "Content-Encoding" not in fetched(client, PAGE, **GZIP)[0].headers


def test_a_copy_that_was_deleted_is_missed_by_nobody(client, tmp_path):
    fetched(client, PAGE, **GZIP)
    shutil.rmtree(tmp_path / "static")
    assert fetched(client, PAGE, **GZIP)[1].startswith(b"/** The chat page")
