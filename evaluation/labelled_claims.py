"""The labelled claims of the golden set through the whole verification: what each verdict says of each label."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from audit.domain.metrics import Share
from corpus.domain.passage import Passage
from evaluation.domain.limits import limit_of, limits
from lectorium.asking import examine
from lectorium.providers.stand_ins.scripted import Reply, ScriptedChat

CLAIM = {"id": object, "address": str, "evidence": str, "claim": str, "label": str, "error_type": str}
LABELS = ("supported", "contradicted", "unsupported")
VERDICTS = ("supported", "partial", "inferred", "withheld: unsupported", "withheld: contradicted")


@dataclass(frozen=True, slots=True)
class LabelledVerdict:
    """A labelled claim, the kind of its error ("none" of a true one), and its verdict, one of VERDICTS."""

    label: str
    error: str
    verdict: str

    @property
    def shown(self) -> bool:
        return not self.verdict.startswith("withheld")


async def run_claims(rows: Sequence[Mapping[str, Any]], on_each: Callable[[], object]) -> list[LabelledVerdict]:
    """Have a model claim each row of its evidence, citing it, and return what would be shown of it."""
    judged = []
    for row in rows:
        author = ScriptedChat(Reply.of(f"{row['claim'].rstrip()} [^1]"))
        seen = await examine("", [_passage(row)], author)
        judged.append(LabelledVerdict(row["label"], row["error_type"], _verdict(seen["sentences"])))
        on_each()
    return judged


def table(judged: Sequence[LabelledVerdict]) -> dict[str, dict[str, int]]:
    """Return how often each label (as the label, and by kind of error) came to each verdict."""
    counts: dict[str, Counter[str]] = {}
    for verdict in judged:
        for name in (verdict.label, *([f"{verdict.label}: {verdict.error}"] if verdict.error != "none" else [])):
            counts.setdefault(name, Counter())[verdict.verdict] += 1
    order = sorted(counts, key=lambda name: (LABELS.index(name.partition(":")[0]), name))
    return {name: {verdict: counts[name][verdict] for verdict in VERDICTS} for name in order}


def claims_report(judged: Sequence[LabelledVerdict], verifier: str) -> str:
    """Return the page docs/results/claims.md."""
    false = [verdict for verdict in judged if verdict.label != "supported"]
    true = [verdict for verdict in judged if verdict.label == "supported"]
    shown, verified = (
        Share.of(verdict.shown for verdict in false),
        Share.of(verdict.verdict == "supported" for verdict in false),
    )
    lost = Share.of(not verdict.shown for verdict in true)
    errors = Counter(verdict.error.replace("_", " ") for verdict in false if verdict.shown)
    as_what = Counter(verdict.verdict.removeprefix("withheld: ") for verdict in true if not verdict.shown)
    lines = [
        "## Labelled claims through the whole verification",
        "",
        f"The {len(judged)} claims of golden/claims_dev.jsonl, each as a sentence that cites its own paragraph, "
        f"through every guard (with the books and the glossary that ship) and `{verifier}`. False ones shown at all: "
        f"{shown}; shown as verified: {verified}. True ones withheld: {lost}. Regenerate: `manage.py evaluate claims`.",
        "",
        limits(limit_of("false claims shown", errors), limit_of("true claims withheld", as_what)),
        "",
        f"| label | {' | '.join(VERDICTS)} |",
        "|---|" + "---:|" * len(VERDICTS),
    ]
    for name, counts in table(judged).items():
        row = f"**{name}**" if ":" not in name else f"– {name.partition(': ')[2].replace('_', ' ')}"
        lines.append(f"| {row} | {' | '.join(str(counts[verdict]) for verdict in VERDICTS)} |")
    return "\n".join(lines) + "\n"


def _verdict(sentences: Sequence[Mapping[str, Any]]) -> str:
    """Return the weakest verdict of the sentences that came of a claim."""
    withheld = [sentence["verdict"] for sentence in sentences if not sentence["shown"]]
    if withheld:
        return f"withheld: {'contradicted' if 'contradicted' in withheld else 'unsupported'}"
    verdicts = {sentence["verdict"] for sentence in sentences}
    return next((verdict for verdict in ("partial", "inferred") if verdict in verdicts), "supported")


def _passage(row: Mapping[str, Any]) -> Passage:
    key = uuid5(NAMESPACE_URL, row["address"])
    return Passage(key, key, "lecture", row["address"], "", row["evidence"], "", 0)
