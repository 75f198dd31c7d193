"""Compiles articles on fixed topics, has HaluGate check them, and tries to publish each without a review.

Everything runs through the product's own services, in a transaction that is rolled back.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from django.contrib.auth import get_user_model
from django.db import transaction

from articles.compiling import version_check, version_store
from articles.drafting import ANTHOLOGY, ArticleDraft, anthology, article_slots, draft_of
from articles.material import ArticleMaterial, editor_viewer, find_material
from articles.models import Article, ArticleVersion
from articles.pages import reading_page
from articles.services import ArticleRefused, article_publish
from evaluation.escape.outcome import LineOutcome, outcomes
from lectorium.ladder.calling import WrittenAnswer
from lectorium.ladder.prompts import shipped
from lectorium.ladder.selectors import ResolvedModel
from lectorium.providers.planting import DraftLine, Note
from lectorium.providers.planting.hostile import HostileChat
from lectorium.providers.planting.lines import TrueSentence, line_of, merged
from lectorium.providers.planting.rewording import reworded

TOPICS = (
    "duty",
    "the three strands of nature",
    "devotion",
    "what does not die",
    "work without a claim",
    "the restless mind",
    "Arjuna's despair",
    "the steady lamp",
    "the last conversation",
    "offering a leaf, a flower, a little water",
)
PLANTED = 8
LONGEST = 4000  # tokens
MIXED = 2  # inventions among honest lines
COMPILERS = ("anthology", "honest", "mixed", "hostile")


@dataclass(frozen=True, slots=True)
class MeasuredArticle:
    """lines: of its draft, each with whether a reader sees it after publishing without a review.

    passed: of the same lines, whether the gate let them pass, also in articles that were not published.
    refusal: why it was not published, or "".
    """

    topic: str
    compiler: str
    risk: str
    sentences: int
    flagged: int
    refusal: str
    lines: tuple[LineOutcome, ...]
    passed: tuple[LineOutcome, ...]


def measure_articles(seeds: Sequence[int], on_each: Callable[[], object]) -> list[MeasuredArticle]:
    """One anthology and one honest article a topic, and a hostile one a topic and seed."""
    found = []
    with transaction.atomic():
        editor = get_user_model().objects.create_superuser("articles-measured")
        viewer = editor_viewer(editor, None)
        for topic in TOPICS:
            material = find_material(topic, viewer)
            for compiler, draft, lines in _drafts(topic, material, seeds):
                found.append(_measured(topic, compiler, draft, lines, material, editor))
                on_each()
        transaction.set_rollback(True)
    return found


def _drafts(
    topic: str, material: ArticleMaterial, seeds: Sequence[int]
) -> Iterator[tuple[str, ArticleDraft, tuple[DraftLine, ...]]]:
    clips = anthology(material)
    quoted = tuple(DraftLine(sentence.text, sentence.text, cites=sentence.cited) for sentence in clips.body.sentences)
    yield ANTHOLOGY, clips, quoted
    honest = _honest_lines(material)
    text = "\n\n".join(line.written for line in honest)
    yield "honest", _written(text, "scripted:honest", material), honest
    notes = [Note(source.alias, source.passage.text) for source in material.sources]
    for seed in seeds:
        lies = [line for line in HostileChat(seed, planted=MIXED).prepare(notes) if line.kind]
        mixed = (*honest[:3], *lies[:1], *honest[3:6], *lies[1:], *honest[6:])
        yield "mixed", _written("\n\n".join(line.written for line in mixed), "scripted:mixed", material), mixed
        author = HostileChat(seed, planted=PLANTED)
        lines = author.prepare(notes)
        yield "hostile", _written(asyncio.run(_said(author, topic, material)), author.name, material), lines


def _honest_lines(material: ArticleMaterial) -> tuple[DraftLine, ...]:
    """The clips' sentences in other words where a rule can reword them, neighbours merged, each cited."""
    truths = [
        TrueSentence(reworded(sentence.text) or sentence.text, material.sources[clip.passage].alias, "reworded")
        for clip in material.clips
        for sentence in clip.sentences
        if sentence.text.endswith(".")
    ]
    pairs = zip(truths[::3], truths[1::3], strict=False)
    return (*(merged(first, second) for first, second in pairs), *(line_of(truth) for truth in truths[2::3]))


async def _said(author: HostileChat, topic: str, material: ArticleMaterial) -> str:
    messages = shipped("compile_article").fill(**article_slots(topic, material))
    return "".join([piece.text async for piece in author.stream(messages, max_tokens=LONGEST, temperature=0.0)])


def _written(text: str, model: str, material: ArticleMaterial) -> ArticleDraft:
    return draft_of(WrittenAnswer(text, ResolvedModel("compile_article", model), False), material)


def _measured(
    topic: str,
    compiler: str,
    draft: ArticleDraft,
    lines: tuple[DraftLine, ...],
    material: ArticleMaterial,
    editor: object,
) -> MeasuredArticle:
    article = Article.objects.create(topic=topic)
    stored = version_check(version_store(article, draft, material).pk)
    assert stored is not None, "nothing deletes it meanwhile"
    article.refresh_from_db()
    refusal = ""
    try:
        article_publish(article=article, by=editor)  # type: ignore[arg-type]
    except ArticleRefused as error:
        refusal = str(error)
    rows = _rows(stored)
    seen = [{**row, "shown": row["shown"] and not refusal} for row in rows]
    dropped: dict[str, list[dict[str, str]]] = {"dropped": []}
    return MeasuredArticle(
        topic, compiler, stored.risk, stored.counts.sentences, stored.counts.flagged, refusal,
        tuple(outcomes("corpus", lines, {"sentences": seen, **dropped})),
        tuple(outcomes("corpus", lines, {"sentences": rows, **dropped})),
    )  # fmt: skip


def _rows(version: ArticleVersion) -> list[dict[str, object]]:
    """Every sentence as the escape test reads it; shown: a reader would see it."""
    page = reading_page(version)
    shown = {found.position for section in page.sections for paragraph in section.paragraphs for found in paragraph}
    return [
        {
            "text": sentence.text,
            "verdict": sentence.check.verdict if sentence.check else "",
            "shown": position in shown,
            "citations": list(sentence.numbers),
            "quote": sentence.check.evidence[0].quote if sentence.check and sentence.check.evidence else "",
            "guards": list(sentence.check.flags) if sentence.check else [],
        }
        for position, sentence in enumerate(version.body.sentences)
    ]
