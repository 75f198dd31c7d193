"""The bars of notes are fitted on notes and questions written for it, and reported on notes that they did not see."""

from evaluation.curation.note_fit import NoteBars, NoteTrial, accepted_by_folds, fit_note_bars, note_report, note_trials
from lectorium.providers.stand_ins.hashing import HashingEmbedder


def trial(number, cosine, fits, said=False):
    return NoteTrial(number, "", cosine, said, fits)


TRIALS = [
    trial(number, base + step, fits, said)
    for number in range(10)
    for base, fits, said in ((0.7, True, False), (0.45, False, False), (0.55, True, True), (0.3, False, True))
    for step in (0.0, 0.02)
]


def test_the_bars_lie_between_what_fits_and_what_does_not_and_a_said_trigger_lowers_it():
    bars = fit_note_bars(TRIALS)
    assert 0.47 < bars.accept < 0.7
    assert 0.32 < bars.said < 0.55
    assert bars.said < bars.accept
    assert accepted_by_folds(TRIALS) == [case.fits for case in TRIALS]


def test_a_trigger_said_mostly_by_what_does_not_fit_does_not_raise_the_bar():
    turned = [trial(case.note, case.cosine, case.fits, not case.said) for case in TRIALS]
    bars = fit_note_bars(turned)
    assert bars.said == bars.accept


def test_every_note_has_questions_that_fit_and_questions_that_do_not_with_and_without_a_trigger():
    trials = note_trials(HashingEmbedder())
    assert {case.note for case in trials if case.fits} == {case.note for case in trials if not case.fits}
    assert {(case.fits, case.said) for case in trials} == {
        (fits, said) for fits in (True, False) for said in (True, False)
    }


def test_the_report_counts_what_bars_of_other_notes_let_in():
    lines = "\n".join(note_report(TRIALS, NoteBars(0.58, 0.42)))
    assert "from cosine 0.58, or 0.42 where the question says a trigger" in lines
    assert "| fits the note, accepted | 20 of 20 (100%) | 20 of 20 (100%) |" in lines
    assert "| does not fit it, accepted | 0 of 20 (0%) | 0 of 20 (0%) |" in lines
