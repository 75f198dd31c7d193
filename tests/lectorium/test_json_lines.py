"""JSON lines of commands: what is written is read back equal, and what is bad is named before any work."""

import codecs
import json
import math
import os
import resource
import threading
from contextlib import contextmanager
from functools import reduce

import pytest
from django.core.management import CommandError
from hypothesis import given
from hypothesis import strategies as st

from lectorium.management.json_lines import check_output, read_objects, write_objects

NESTED = "[" * 100_000 + "]" * 100_000
texts = st.text(max_size=9)
plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
values = plain | st.lists(plain, max_size=3) | st.dictionaries(texts, st.lists(plain, max_size=2), max_size=2)
objects = st.lists(st.dictionaries(texts, values, max_size=3), max_size=3)


@given(objects)
def test_what_is_written_is_read_back_equal(tmp_path_factory, found):
    path = tmp_path_factory.mktemp("lines") / "rows.jsonl"
    assert write_objects(path, found) == len(found)
    assert read_objects(path, {}) == found


@given(objects, st.sampled_from(["\n", "\r\n", "\n\n", "\r\n \r\n"]), st.booleans(), st.booleans())
def test_line_ends_blank_lines_escapes_and_a_byte_order_mark_change_nothing(tmp_path_factory, found, end, mark, ascii):
    path = tmp_path_factory.mktemp("lines") / "rows.jsonl"
    text = "".join(json.dumps(row, ensure_ascii=ascii) + end for row in found)
    path.write_bytes(codecs.BOM_UTF8 * mark + text.encode())
    assert read_objects(path, {}) == found


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\u0085", "\x7f"])
def test_a_line_separator_inside_a_string_ends_no_line(tmp_path, separator):
    row = {"id": 1, "text": f"one{separator}two"}
    (tmp_path / "in.jsonl").write_text(json.dumps(row, ensure_ascii=False) + "\n" + '{"id": 2}', encoding="utf-8")
    assert read_objects(tmp_path / "in.jsonl", {"id": object}) == [row, {"id": 2}]


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_one_object_over_several_lines_is_one_object(tmp_path, mark, end):
    text = json.dumps({"id": "a", "citations": [1]}, indent=2).replace("\n", end)
    (tmp_path / "answer.json").write_bytes(mark + text.encode())
    assert read_objects(tmp_path / "answer.json", {"id": object}) == [{"id": "a", "citations": [1]}]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (rb'{"id": "\ud800"}', "half a surrogate pair"),
        (rb'{"id": 1, "more": [{"\udfff": 2}]}', "half a surrogate pair"),
        (b'{"id": ' + NESTED.encode() + b"}", "nested too deeply"),
        (b'{"id": ' + b"9" * 5000 + b"}", "a number"),
        (b'{"id": NaN}', "a number"),
        (b'{"id": -Infinity}', "a number"),
        (b'{"id": 1e999}', "a number"),
        (b'{"id": "\xff"}', "not UTF-8; save the file as UTF-8"),
        (b'{"id": "\xed\xa0\x80"}', "not UTF-8"),
        ('{"id": 1}'.encode("utf-16"), "not UTF-8"),
        (b'{"id": 1} {"id": 2}', r"not JSON \(Extra data at column 11\)"),
    ],
)
def test_what_cannot_be_written_again_is_refused_by_file_and_line(tmp_path, line, reason):
    (tmp_path / "in.jsonl").write_bytes(b'{"id": 0}\n\n' + line + b"\n")
    with pytest.raises(CommandError, match=rf"in\.jsonl, line 3: .*{reason}"):
        read_objects(tmp_path / "in.jsonl", {"id": object})


def test_a_missing_file_or_a_folder_in_its_place_is_named(tmp_path):
    for path in (tmp_path / "absent.jsonl", tmp_path):
        with pytest.raises(CommandError, match=f"{path.name}: cannot be read"):
            read_objects(path, {"id": object})


def nested(levels):
    return reduce(lambda inner, _: [inner], range(levels), [])


def broken_off(*rows):
    yield from rows
    raise RuntimeError("the model went away")


def test_what_fails_midway_leaves_what_was_there_and_no_part_of_a_file(tmp_path):
    path = tmp_path / "out.jsonl"
    with pytest.raises(RuntimeError, match="went away"):
        write_objects(path, broken_off({"id": 1}))
    assert list(tmp_path.iterdir()) == []
    path.write_text("before", encoding="utf-8")
    with pytest.raises(RuntimeError, match="went away"):
        write_objects(path, broken_off({"id": 1}))
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]
    assert path.read_text(encoding="utf-8") == "before"


@contextmanager
def full_disk():
    """Let no file grow beyond ten bytes: what is written fails as late as on a full disk, when buffers are emptied.

    Of the whole process, so not for longer than one call: pytest's own output may be such a file.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_is_told_and_leaves_what_was_there(tmp_path):
    path = tmp_path / "out.jsonl"
    path.write_text("before", encoding="utf-8")
    with pytest.raises(CommandError, match=r"out\.jsonl cannot be written: File too large"), full_disk():
        write_objects(path, [{"id": "longer than ten bytes"}])
    assert path.read_text(encoding="utf-8") == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


def test_a_file_appears_only_once_it_is_whole(tmp_path):
    def seen():
        for number in (1, 2):
            assert not (tmp_path / "out.jsonl").exists()
            yield {"id": number}

    assert write_objects(tmp_path / "out.jsonl", seen()) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]


@pytest.mark.parametrize("value", ["\ud800", {"\ud800": 1}, math.nan, math.inf, nested(1100)])
def test_what_is_no_json_in_utf_8_is_refused_by_file_and_line_and_nothing_is_written(tmp_path, value):
    with pytest.raises(CommandError, match=r"out\.jsonl, line 2: "):
        write_objects(tmp_path / "out.jsonl", [{"id": 1}, {"id": value}])
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_named_with_what_to_do_before_anything_is_asked_for(tmp_path):
    path = tmp_path / "absent" / "out.jsonl"
    for attempt in (lambda: check_output(path), lambda: write_objects(path, broken_off())):
        with pytest.raises(CommandError, match=r"out\.jsonl cannot be written: .* no folder .*absent; create it first"):
            attempt()


def test_a_folder_in_the_place_of_the_file_is_named_before_anything_is_asked_for(tmp_path):
    for attempt in (lambda: check_output(tmp_path), lambda: write_objects(tmp_path, broken_off())):
        with pytest.raises(CommandError, match="cannot be written: it is a folder; name a file in it"):
            attempt()


def test_a_link_still_leads_to_the_file_and_the_file_keeps_who_may_read_it(tmp_path):
    target, link = tmp_path / "there.jsonl", tmp_path / "here.jsonl"
    target.touch(mode=0o600)
    link.symlink_to(target)
    write_objects(link, [{"id": 1}])
    assert link.is_symlink()
    assert read_objects(target, {}) == [{"id": 1}]
    assert target.stat().st_mode & 0o777 == 0o600


def test_a_pipe_is_written_as_it_is(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_objects(pipe, [{"id": 1}])
    reader.join()
    assert read == [b'{"id": 1}\n']
    assert pipe.is_fifo()
