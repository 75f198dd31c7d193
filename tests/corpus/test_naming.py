"""Names that a disk takes."""

from corpus.importers.naming import BYTES, file_name


def test_a_short_name_stays():
    assert file_name("On wonder, 12.5.2024.txt") == "On wonder, 12.5.2024.txt"


def test_a_long_name_is_cut_between_characters_and_stays_apart_from_others():
    first, second, sound = (file_name("ॐ" * 100 + rest) for rest in (" 1.txt", " 2.txt", " 1.wav"))
    assert len(first.encode()) <= BYTES
    assert first != second
    assert first.removesuffix(".txt") == sound.removesuffix(".wav")
    assert first.startswith("ॐ" * 60)
