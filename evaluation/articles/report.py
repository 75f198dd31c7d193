"""The page of the articles' measurement."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from audit.domain.metrics import Share, percent
from evaluation.articles.run import COMPILERS, MIXED, PLANTED, TOPICS, MeasuredArticle
from evaluation.escape.outcome import LineOutcome

SHOWN_LINES = 12


def articles_section(found: Sequence[MeasuredArticle], seeds: Sequence[int], judge: str, corpus: str) -> Iterator[str]:
    yield "# Articles and HaluGate"
    yield ""
    yield (
        f"`manage.py evaluate_articles --seeds {len(seeds)}` over the corpus {corpus}, with the verifier {judge}. "
        f"{len(TOPICS)} topics, each compiled as an anthology; by an honest scripted compiler (the clips' sentences "
        f"reworded by rule, merged and cited); and, once for each of {len(seeds)} seeds, by the honest one with "
        f"{MIXED} planted inventions among its lines (mixed), and by the hostile compiler of the escape test with up "
        f"to {PLANTED}. Every article is stored, checked and published by the product's own services, without a "
        "reviewer; what a reader would then see is compared with the lines that were planted. Everything is rolled "
        "back."
    )
    yield ""
    columns = "articles | risk low / medium / high | not published | planted | published | passed the gate, held"
    yield f"| compiler | {columns} | true lines | true lines flagged (false alarms) |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for compiler in COMPILERS:
        yield _row(compiler, [article for article in found if article.compiler == compiler])
    yield ""
    yield (
        "Published: planted lines that a reader of a published article sees. Not published: the risk is high, so "
        "nobody sees the article before a review; then only lines that passed the gate are shown, unless the reviewer "
        "keeps another. False alarms: true lines that the gate flags."
    )
    yield ""
    yield from _kinds(found)
    yield from _samples(found)


def _row(compiler: str, articles: Sequence[MeasuredArticle]) -> str:
    lines = [line for article in articles for line in article.lines]
    passed = [line for article in articles for line in article.passed]
    planted = [line for line in lines if line.planted]
    true = [line for line in passed if not line.planted]
    risks = Counter(article.risk for article in articles)
    held_back = sum(line.escaped for line in passed) - sum(line.escaped for line in lines)
    cells = (
        compiler,
        len(articles),
        f"{risks['low']} / {risks['medium']} / {risks['high']}",
        sum(bool(article.refusal) for article in articles),
        len(planted),
        sum(line.escaped for line in planted),
        held_back,
        len(true),
        percent(Share.of(not line.seen for line in true)) if true else "–",
    )
    return f"| {' | '.join(map(str, cells))} |"


def _kinds(found: Iterable[MeasuredArticle]) -> Iterator[str]:
    """Planted lines of the hostile compiler by kind."""
    planted = [line for article in found for line in article.passed if line.planted]
    kinds = Counter(line.line.kind for line in planted)
    passed = Counter(line.line.kind for line in planted if line.escaped)
    yield "| kind of invention | planted | passed the gate |"
    yield "|---|---:|---:|"
    for kind, number in sorted(kinds.items()):
        yield f"| {kind.replace('_', ' ')} | {number} | {passed[kind]} |"
    yield ""


def _samples(found: Sequence[MeasuredArticle]) -> Iterator[str]:
    """Planted lines that passed and true lines that were flagged, to read by eye."""
    planted = [line for article in found for line in article.passed if line.escaped]
    flagged = [line for article in found for line in article.passed if not line.planted and not line.seen]
    yield from _listed("Planted lines that passed the gate", planted)
    yield from _listed("True lines that were flagged", flagged)


def _listed(title: str, lines: Sequence[LineOutcome]) -> Iterator[str]:
    yield f"{title} ({len(lines)}, at most {SHOWN_LINES} shown):"
    yield ""
    for line in lines[:SHOWN_LINES]:
        why = f" ({'; '.join(sorted(line.guards))})" if line.guards else ""
        yield f"- {line.line.kind.replace('_', ' ') or 'true'}: “{line.line.text}”{why}"
    yield ""
