from collections import Counter

from evaluation.calibration.languages import bars_of
from evaluation.natural import read_half


def test_a_tenth_of_a_languages_off_topic_questions_reach_its_bar_and_other_languages_have_the_highest():
    cosines = [tenth / 10 for tenth in range(11)]
    bars = bars_of({"de": cosines, "hi": [cosine / 2 for cosine in cosines]})
    assert bars == {"de": 0.9, "hi": 0.45, "": 0.9}
    assert bars_of({}) == {}


def test_each_language_has_the_same_number_of_questions_of_each_kind():
    for half, off_topic in (("languages_dev", 20), ("languages", 2)):
        rows = read_half(half)
        assert Counter(row["language"] for row in rows if row["kind"] == "off_topic") == dict.fromkeys(
            ("de", "es", "hi"), off_topic
        )
        assert len({row["id"] for row in rows}) == len(rows)
