"""Fitting the coverage gate, and telling what it does."""

from xml.etree import ElementTree

from evaluation.calibration.fit import fit
from evaluation.calibration.gate_report import HEIGHT, WIDTH, curve_svg, gate_lines
from evaluation.calibration.labelled import LabelledQuestion


def measured(section, answerable, number, **signals):
    """Return so many questions of a section, each of a lecture of its own, with nearly these signals."""
    where = "off-topic" if section == "" else f"lecture {section}{answerable}"
    return [
        (
            LabelledQuestion("?", (), answerable, f"{where} {n}", section, section or "off-topic"),
            {name: value + 0.001 * n for name, value in signals.items()},
        )
        for n in range(number)
    ]


def test_the_evidence_says_how_well_each_signal_parts_a_from_b_and_from_the_false_twins():
    questions = [
        *measured("A", True, 20, closeness=0.8, answerability=0.5),
        *measured("B", False, 20, closeness=0.1, answerability=0.5),
        *measured("C", True, 10, closeness=0.8, answerability=0.5),
        *measured("C", False, 10, closeness=0.9, answerability=0.2),
        *measured("", False, 20, closeness=0.0, answerability=0.0),
    ]
    apart = fit(questions, 0.1, ()).calibration.evidence["auroc_from_a"]
    assert apart["unanswerable"]["closeness"] == 1.0
    assert apart["unanswerable"]["answerability"] == 0.5
    assert apart["false twins"]["closeness"] == 0.0
    assert apart["false twins"]["answerability"] == 1.0
    assert set(apart["false twins"]) == {"all, cross-validated", "closeness", "answerability"}


def test_data_files_of_one_name_are_told_apart_by_their_folders(tmp_path):
    files = [tmp_path / folder / "dev.jsonl" for folder in ("golden", "hotpotqa")]
    for path in files:
        path.parent.mkdir()
        path.write_text(path.parent.name)
    told = fitted(files).calibration.evidence["data"]
    assert list(told) == ["golden/dev.jsonl", "hotpotqa/dev.jsonl"]
    assert len(set(told.values())) == 2


def fitted(data=()):
    questions = [
        *measured("A", True, 20, closeness=0.8, answerability=0.5),
        *measured("B", False, 20, closeness=0.1, answerability=0.4),
        *measured("", False, 20, closeness=0.0, answerability=0.0),
    ]
    return fit(questions, 0.1, data)


def test_what_has_to_do_with_the_corpus_gets_a_second_look():
    calibration = fitted().calibration
    assert calibration.outside_below <= calibration.answer_from
    assert calibration.evidence["off_topic_outside"] == 1.0


def test_the_report_counts_by_chances_of_fits_that_had_not_seen_the_lecture():
    one = fitted()
    lines = "\n".join(gate_lines(one, "a corpus"))
    assert "| A | 20/20 = 1.00" in lines
    assert "| off-topic, none has an answer | 0/20 = 0.00" in lines
    assert len(one.chances) == len(one.asked) == 60


def test_the_curve_is_drawn_within_its_picture():
    picture = ElementTree.fromstring(curve_svg([(0.0, 0.0), (0.5, 0.25), (1.0, 1.0)], (0.5, 0.25)))
    (line,) = picture.iter("{http://www.w3.org/2000/svg}polyline")
    places = [tuple(map(float, one.split(","))) for one in line.get("points").split()]
    assert places == sorted(places, key=lambda place: (place[0], -place[1]))
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in places)


def test_what_is_only_recorded_gets_no_weight_though_it_parts_them():
    questions = [
        *measured("A", True, 20, closeness=0.8, names_share=0.9),
        *measured("B", False, 20, closeness=0.1, names_share=0.0),
        *measured("", False, 20, closeness=0.0, names_share=0.0),
    ]
    one = fit(questions, 0.1, ()).calibration
    assert set(one.weights) == {"closeness"}
    assert one.evidence["auroc_by_signal"]["names_share"] == 1.0
