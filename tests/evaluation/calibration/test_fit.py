from xml.etree import ElementTree

from evaluation.calibration.fit import fit
from evaluation.calibration.gate_report import LABELS, gate_lines
from evaluation.calibration.labelled import LabelledQuestion
from evaluation.domain.curve import HEIGHT, WIDTH, curve_svg


def measured(section, answerable, number, served=False, **signals):
    """`number` questions of a section, each from a different lecture, with about these signals."""
    where = "off-topic" if section == "" else f"lecture {section}{answerable}"
    return [
        (
            LabelledQuestion("?", (), answerable, f"{where} {n}", section, section or "off-topic", served=served),
            {name: value + 0.001 * n for name, value in signals.items()},
        )
        for n in range(number)
    ]


def test_the_evidence_has_each_signals_auroc_against_b_and_false_twins():
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


def test_data_files_with_the_same_name_are_distinguished_by_folder(tmp_path):
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


def test_answerable_questions_are_rarely_classed_as_off_topic():
    gate = fitted()
    pairs = zip(gate.questions, gate.subjects, strict=True)
    lost = [subject < gate.calibration.outside_below for question, subject in pairs if question.answerable]
    assert sum(lost) <= 1
    assert gate.calibration.evidence["off_topic_outside"] == 1.0


def test_near_misses_weigh_nothing_in_the_chance_of_the_subject():
    answered = measured("A", True, 20, closeness=0.8, answerability=0.5)
    elsewhere = measured("", False, 20, closeness=0.0, answerability=0.5)
    near = measured("B", False, 20, closeness=0.7, answerability=0.0)
    gate = fit([*answered, *near, *elsewhere], 0.1, ())
    assert set(gate.calibration.subject) == {"closeness"}
    assert gate.calibration.evidence["near_at_least_closest"] == 1.0
    assert gate.calibration.evidence["auroc_subject"] == 1.0
    assert gate.shown("off-topic").value <= 0.2


def test_from_a_lower_bar_the_closest_passage_is_called_a_likely_answer():
    gate = fit(
        [
            *measured("A", True, 40, served=True, closeness=0.6),
            *measured("B", False, 40, closeness=0.59),
            *measured("", False, 20, closeness=0.0),
        ],
        0.0,
        (),
    )
    calibration = gate.calibration
    pairs = list(zip(gate.questions, gate.chances, strict=True))
    reached = [question for question, chance in pairs if calibration.likely_from <= chance < calibration.answer_from]
    assert 1 <= sum(not question.answerable for question in reached) <= 0.15 * 40
    assert gate.likely.value == sum(question.served for question in reached) / len(reached)
    assert f"the best clips hold it for {gate.likely}." in "\n".join(gate_lines(gate, "a corpus"))


def test_the_report_uses_out_of_fold_chances():
    gate = fitted()
    lines = "\n".join(gate_lines(gate, "a corpus"))
    assert "| A | 20/20 = 1.00" in lines
    assert "| off-topic, none has an answer | 0/20 = 0.00" in lines
    assert len(gate.chances) == len(gate.questions) == 60


def test_the_golden_questions_are_reported_alone_at_the_stored_bar_and_at_those_that_meet_a_goal():
    golden = [*measured("A", True, 10, closeness=0.8), *measured("B", False, 10, closeness=0.4)]
    others = [*measured("N", True, 10, closeness=0.9), *measured("N", False, 10, closeness=0.3)]
    gate = fit([*golden, *others, *measured("", False, 20, closeness=0.0)], 0.1, ())
    lines = "\n".join(gate_lines(gate, "a corpus"))
    at_the_stored_bar = lines.partition("| the stored bar |")[2].partition("\n")[0]
    assert at_the_stored_bar.endswith("/10 = 1.00 [0.72, 1.00] | 2/10 = 0.20 [0.06, 0.51] |")
    assert "| the bar that answers 75% |" in lines
    assert "| golden, coverage: answerable answered | ≥ 0.75 |" in lines


def test_the_curve_stays_within_its_picture():
    picture = ElementTree.fromstring(curve_svg([(0.0, 0.0), (0.5, 0.25), (1.0, 1.0)], (0.5, 0.25), LABELS))
    (line,) = picture.iter("{http://www.w3.org/2000/svg}polyline")
    places = [tuple(map(float, point.split(","))) for point in line.get("points").split()]
    assert places == sorted(places, key=lambda place: (place[0], -place[1]))
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in places)


def test_unweighed_signals_get_no_weight():
    questions = [
        *measured("A", True, 20, closeness=0.8, names_share=0.9),
        *measured("B", False, 20, closeness=0.1, names_share=0.0),
        *measured("", False, 20, closeness=0.0, names_share=0.0),
    ]
    calibration = fit(questions, 0.1, ()).calibration
    assert set(calibration.weights) == {"closeness"}
    assert calibration.evidence["auroc_by_signal"]["names_share"] == 1.0


def test_where_clips_were_judged_they_and_the_names_decide():
    clips = {"clip_answerability": 0.9, "clip_level": 0.4, "clip_lead": 0.5}
    questions = [
        *measured("A", True, 20, closeness=0.8, names_share=0.9, **clips),
        *measured("B", False, 20, closeness=0.1, names_share=0.0, **dict.fromkeys(clips, 0.1)),
        *measured("", False, 20, closeness=0.0, names_share=0.0, **dict.fromkeys(clips, 0.0)),
    ]
    assert set(fit(questions, 0.1, ()).calibration.weights) == {*clips, "names_share"}


def test_the_chance_is_that_what_is_shown_answers():
    questions = [
        *measured("A", True, 20, served=True, closeness=0.5, answerability=0.9),
        *measured("A2", True, 20, closeness=0.9, answerability=0.1),
        *measured("B", False, 20, closeness=0.1, answerability=0.1),
        *measured("", False, 20, closeness=0.0, answerability=0.0),
    ]
    calibration = fit(questions, 0.1, ()).calibration
    assert calibration.weights["answerability"] > calibration.weights.get("closeness", 0.0)
    assert calibration.evidence["answered_served"] == 0.5  # both kinds pass a bar that ten near misses set
