"""Fits from which cosine on a note takes part: one bar where the question says a trigger, a higher one where not."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from corpus.domain.text.sentences import sentence_spans
from corpus.language import lexemes
from curation.domain.sameness import says_trigger
from evaluation.curation.pairs import FOLDER
from lectorium.providers.protocols import Embedder

FOLDS = 10


@dataclass(frozen=True, slots=True)
class NoteTrial:
    """A question asked of a note. note: its number. cosine: of the question with the note's closest words.

    said: the question says a trigger. fits: the note should take part.
    """

    note: int
    question: str
    cosine: float
    said: bool
    fits: bool


@dataclass(frozen=True, slots=True)
class NoteBars:
    """Cosines from which on a note takes part: by its words alone, and where the question says a trigger."""

    accept: float
    said: float

    def accepts(self, trial: NoteTrial) -> bool:
        return trial.cosine >= (self.said if trial.said else self.accept)


def note_trials(model: Embedder) -> list[NoteTrial]:
    """The questions of `notes.json`, each asked of its own note, which is embedded as the index job does it."""
    trials = []
    for number, row in enumerate(json.loads((FOLDER / "notes.json").read_text(encoding="utf-8"))):
        sentences = [row["body"][slice(*span)] for span in sentence_spans(row["body"])]
        asked = [(text, fits) for fits in (True, False) for text in row["accept" if fits else "reject"]]
        words = model.embed_questions([row["title"], *row["triggers"], *sentences])
        closest = (model.embed_questions([text for text, _ in asked]) @ words.T).max(axis=1)
        for (text, fits), cosine in zip(asked, closest.tolist(), strict=True):
            said = any(says_trigger(text, trigger, lexemes) for trigger in row["triggers"])
            trials.append(NoteTrial(number, text, cosine, said, fits))
    return trials


def fit_note_bars(trials: Sequence[NoteTrial]) -> NoteBars:
    """The bars at even odds of a logistic model over the cosine and whether a trigger is said."""
    cosines = np.array([trial.cosine for trial in trials])
    mean, spread = cosines.mean(), cosines.std()
    x = np.column_stack([(cosines - mean) / spread, [trial.said for trial in trials]])
    model = LogisticRegression(class_weight="balanced").fit(x, [trial.fits for trial in trials])
    slope, of_said = model.coef_[0]
    accept, said = (float(mean - spread * (model.intercept_[0] + sign) / slope) for sign in (0.0, max(0.0, of_said)))
    return NoteBars(round(accept, 4), round(said, 4))


def accepted_by_folds(trials: Sequence[NoteTrial]) -> list[bool]:
    """Whether each trial's note takes part, by bars fitted on other notes."""
    numbers = np.array([trial.note for trial in trials])
    found = [False] * len(trials)
    for train, test in GroupKFold(FOLDS).split(numbers, groups=numbers):
        bars = fit_note_bars([trials[place] for place in train])
        for place in test:
            found[place] = bars.accepts(trials[place])
    return found


def note_report(trials: Sequence[NoteTrial], bars: NoteBars) -> Iterator[str]:
    """The bars, and what they do on notes that they were not fitted on."""
    taken = accepted_by_folds(trials)

    def share(fits: bool, said: bool) -> str:
        chosen = [took for took, trial in zip(taken, trials, strict=True) if (trial.fits, trial.said) == (fits, said)]
        return f"{sum(chosen)} of {len(chosen)} ({sum(chosen) / max(1, len(chosen)):.0%})"

    yield f"A note takes part from cosine {bars.accept:.2f}, or {bars.said:.2f} where the question says a trigger."
    yield f"By {FOLDS} folds over {len({trial.note for trial in trials})} notes (`evaluation/curation/notes.json`):"
    yield ""
    yield "| the question | says a trigger | says none |"
    yield "|---|---:|---:|"
    for fits, name in ((True, "fits the note, accepted"), (False, "does not fit it, accepted")):
        yield f"| {name} | {share(fits, True)} | {share(fits, False)} |"
