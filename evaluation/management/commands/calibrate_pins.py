"""`manage.py calibrate_pins`: fits how questions meet pins and notes, and measures it on pairs it did not fit."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from numpy.typing import NDArray

from curation.domain.sameness import MatchRule
from curation.matching.rules import WITHOUT_JUDGE, rules_path
from evaluation.curation.note_fit import NoteBars, fit_note_bars, note_report, note_trials
from evaluation.curation.pairs import (
    WORDINGS,
    cosines_of,
    cross_cosines,
    read_groups,
    texts_of,
    trials_of,
)
from evaluation.curation.pin_fit import (
    FALSE_ACCEPTS,
    FITTED,
    WRONGLY_NEAR,
    MeasuredTrial,
    accepted,
    fit_rule,
    judged_pairs,
    near,
    objected,
    settled_by_words,
)
from evaluation.results import publish_part
from lectorium.providers.protocols import Embedder, RewordingJudge
from lectorium.providers.registry import embedder, rewording_judge

GOALS = {1: 0.5, 3: 0.8, 6: 0.9}
HEAD = """# How questions meet pins

A pin answers by itself, so a wrong one misleads and a missed one does not: the question is then answered by the
search. Where a pin is near and not accepted, its passages are read with what the search finds, the gate decides, and
the reader is offered the pin's question to ask.

**The rule.** A question with the words of a phrasing meets the pin. Any other is read with the pin's question and its
closest other phrasings by a cross-encoder trained on pairs of questions (`python -m training rewordings`; other
authors, other topics). A logistic model over its verdict on the pin's question, the mean of its verdicts, and whether
a word of the closest phrasing is changed gives the chance that both ask the same. No sign of sameness may lower that
chance, and a changed, added or reversed word may not raise it. There is a bar for each number of wordings, and what
meets the bar by the pin's question alone is accepted whatever other wordings the pin has. Without the cross-encoder,
only the words of a phrasing meet a pin, and a cosine tells what is near.

**The measurement.** `manage.py calibrate_pins` fits the rule on the development half of the labelled pairs
(`evaluation/curation/`) and measures it below on the other half. Each question is asked where a pin has one, three
or six wordings. *Accepted wrongly*: questions written to be mistaken for the pin. *Of other pins*: their questions,
the nearest ones and some by chance. At most FALSE_ACCEPTS may be accepted wrongly; the bar is where the tail of the
mistaken questions' scores, by folds on the development half, leaves FITTED of them. The tail is fitted to the highest
of them together, since the single highest says little about other questions. What is near is set to WRONGLY_NEAR of
the mistaken ones there. `manage.py probe_pins` asks the probes of another author, on which nothing is fitted.

**The goals are missed by far**, for reasons that the development half shows:

- Many rewordings ask the same only for somebody who knows the answer: “Who sacrificed their lives so that a king, a
  princess and a monk might eat?” for “Why did the little birds throw themselves into the fire?” The judge does not
  read the pin's passages, and reading them does not help: how well the big reader finds a question answered by them,
  alone or compared with the pin's own question, hardly tells a rewording from a question written to be mistaken for
  it, which is mostly about the same passage, and adds nothing to the judge. (The pairs name no passages; the best
  that the search finds for the pin's question were taken.)
- The judge was trained on pairs with a pinned question. It judges short wordings such as “buddhi meaning” worse, so
  its highest verdict over many wordings is a worse sign than its verdict on the pin's question alone; with the mean
  it is a little better. Training it on pairs of any two wordings, and on more authors, is the next thing to try.
- Questions written to be mistaken share more words with the pin than rewordings do. A model that may use this
  backwards, by rejecting what is close, ranks them lower, but questions of other pins higher than the judge alone
  does. So the signs are bound to one direction; then plain cosines, and words counted by how rare they are, get no
  weight beside the judge and the changed words.
- A handful of questions decides the bar, such as “Why is it right to kill although everyone dies?” for “If nobody can
  be killed, why is murder wrong?”.

Questions of other pins that ask the same all the same are left out (`evaluation/curation/alike.jsonl`); those of the
measured half were named by somebody who had not read the matching.

**Notes.** A note takes part by its closest words, with a lower bar where the question says a trigger (`--notes`).
The notes that the bars are fitted on were written by somebody who had read the matching and the probes.

For an editor: add the wordings that readers use, since the exact words always meet the pin."""
HEAD = HEAD.replace("FALSE_ACCEPTS", f"{FALSE_ACCEPTS:.1%}").replace("FITTED", f"{FITTED:.1%}")
HEAD = HEAD.replace("WRONGLY_NEAR", f"{WRONGLY_NEAR:.0%}")


class Command(BaseCommand):
    help = "Fit how questions meet pins and notes, for the configured embedder and judge of rewordings."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--embedder", default="", help="Embedder to fit for; default: the configured case.")
        parser.add_argument("--notes", action="store_true", help="Fit the bars of notes only, in seconds.")

    def handle(self, *args: Any, **options: Any) -> None:
        model = embedder(options["embedder"])
        bars = self._notes(model)
        if not options["notes"]:
            self._pins(model, bars)

    def _notes(self, model: Embedder) -> NoteBars:
        """Fit the bars of notes and put them into every stored rule of the embedder."""
        trials = note_trials(model)
        bars = fit_note_bars(trials)
        path = rules_path(model.name)
        if path.is_file():
            rules = json.loads(path.read_text(encoding="utf-8"))
            fitted = {"note_accept": bars.accept, "note_said": bars.said}
            with_bars = {name: {**values, **fitted} for name, values in rules.items()}
            path.write_text(json.dumps(with_bars, indent=1) + "\n", encoding="utf-8")
        lines = list(note_report(trials, bars))
        publish_part("pins", HEAD, f"{model.name}: notes", lines)
        self.stdout.write("\n".join(lines))
        return bars

    def _pins(self, model: Embedder, bars: NoteBars) -> None:
        judge = rewording_judge()
        named = judge.name if judge else WITHOUT_JUDGE
        measured, cross = measure("dev", model, judge)
        rule = fit_rule(measured, cross, has_judge=judge is not None)
        unseen, _ = measure("unseen", model, judge)
        rule = replace(rule, note_accept=bars.accept, note_said=bars.said)
        rule = replace(rule, evidence={"dev": len(measured), "unseen": len(unseen)})
        path = rules_path(model.name)
        rules = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        rules = {name: values for name, values in rules.items() if name.split()[0] != named.split()[0]}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({**rules, named: asdict(rule)}, indent=1) + "\n", encoding="utf-8")
        lines = list(report(unseen, rule))
        title = f"{model.name}, judged by {named.split()[0]}" if judge else f"{model.name}, without a judge"
        publish_part("pins", HEAD, title, lines)
        self.stdout.write("\n".join([title, *lines, f"Stored in {path.name}."]))


def measure(
    half: str, model: Embedder, judge: RewordingJudge | None
) -> tuple[list[MeasuredTrial], NDArray[np.float32]]:
    """The trials of a half with all that decides, and the cosines of questions about different things."""
    groups = read_groups(half)
    texts = texts_of(groups)
    vectors = dict(zip(texts, model.embed_questions(texts), strict=True))
    trials = trials_of(groups, vectors)
    cosines = [cosines_of(trial, vectors) for trial in trials]
    pairs = [judged_pairs(trial, values) if judge else [] for trial, values in zip(trials, cosines, strict=True)]
    chances = read_pairs(judge, [pair for some in pairs for pair in some]) if judge else {}
    found = [
        MeasuredTrial(
            trial,
            tuple(values.tolist()),
            tuple(map(chances.__getitem__, some)),
            settled_by_words(trial),
            objected(trial, values),
        )
        for trial, values, some in zip(trials, cosines, pairs, strict=True)
    ]
    return found, cross_cosines(groups, vectors)


def read_pairs(judge: RewordingJudge, pairs: Sequence[tuple[str, str]]) -> dict[tuple[str, str], float]:
    """The judge's chance of each pair. They are kept in the state folder: reading takes minutes, and outlasts a fit."""
    name = "".join(char if char.isalnum() else "-" for char in judge.name)
    path = settings.STATE_DIR / "pin-verdicts" / f"{name}.json"
    rows = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    known = {(first, second): chance for first, second, chance in rows}
    new = sorted({pair for pair in pairs if pair not in known}, key=lambda pair: len(pair[0]) + len(pair[1]))
    known |= zip(new, judge.same(new), strict=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([(*pair, chance) for pair, chance in known.items()]), encoding="utf-8")
    return known


def report(measured: Sequence[MeasuredTrial], rule: MatchRule) -> Iterator[str]:
    """The table of what was accepted, by the number of wordings and by the label."""
    taken, read = accepted(measured, rule), near(measured, rule)

    def share(hits: NDArray[np.bool_], wordings: int, *labels: str) -> str:
        chosen = [
            bool(hits[place])
            for place, case in enumerate(measured)
            if len(case.trial.phrasings) == wordings and case.trial.label in labels
        ]
        return f"{sum(chosen)} of {len(chosen)} ({sum(chosen) / max(1, len(chosen)):.1%})"

    yield "| wordings | rewordings accepted | goal | accepted wrongly | of other pins |"
    yield "|---:|---:|---:|---:|---:|"
    for wordings in WORDINGS:
        cells = (
            share(taken, wordings, "same"),
            f"{GOALS[wordings]:.0%}",
            share(taken, wordings, "same_topic", "opposite"),
            share(taken, wordings, "other"),
        )
        yield f"| {wordings} | {' | '.join(cells)} |"
    yield from ("", "Accepted, or near and so offered to the reader:", "")
    yield "| wordings | rewordings | written to be mistaken | of other pins |"
    yield "|---:|---:|---:|---:|"
    for wordings in WORDINGS:
        labels = (("same",), ("same_topic", "opposite"), ("other",))
        yield f"| {wordings} | {' | '.join(share(read, wordings, *some) for some in labels)} |"
