from chat.calibrating import Labelled, fit


def measured(section, answerable, number, **signals):
    """Return so many questions of a section, each of a lecture of its own, with nearly these signals."""
    where = "off-topic" if section == "" else f"lecture {section}{answerable}"
    return [
        (
            Labelled("?", (), answerable, f"{where} {n}", section),
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
    apart = fit(questions, 0.1, ()).evidence["auroc_from_a"]
    assert apart["unanswerable"]["closeness"] == 1.0
    assert apart["unanswerable"]["answerability"] == 0.5
    assert apart["false twins"]["closeness"] == 0.0
    assert apart["false twins"]["answerability"] == 1.0
    assert set(apart["false twins"]) == {"all, cross-validated", "closeness", "answerability"}
