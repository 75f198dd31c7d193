import re
from pathlib import Path

from articles.domain.halugate import GateRules
from articles.domain.rules import CompileRules
from audit.domain.alerts import ReportRules
from audit.domain.clusters import ClusterRules
from audit.domain.deliveries import DeliveryRules
from audit.domain.guards import GuardRules
from audit.domain.judging import JudgeRules
from audit.turn_reviews import queue
from chat.answering import lexical
from chat.answering.domain import clip_order, modes, policy
from chat.answering.domain.caching import CacheRules
from chat.answering.domain.checking import CheckRules
from chat.answering.domain.english import bare_claims
from chat.answering.domain.evidence import echo, neighbours, pool
from chat.answering.domain.evidence.conflicts import FactRules
from chat.answering.domain.evidence.continuation import ContinuationRules
from chat.answering.domain.evidence.near_copies import CopyRules
from chat.answering.domain.evidence.opposition import OppositionRules
from chat.answering.domain.evidence.pinned import PinnedRules
from chat.answering.domain.evidence.pool import PoolLimits
from chat.answering.domain.evidence.quotation import QuotationRules
from chat.answering.domain.evidence.selection import DiscardRules
from chat.answering.domain.query import decompose, drafted_plan, planning
from chat.answering.domain.query.bad_input import InputRules
from chat.answering.domain.query.readings import ReadingRules
from chat.answering.domain.query.spelling import SpellingRules
from chat.answering.domain.query.vagueness import VaguenessRules
from chat.answering.domain.stream import assembler
from chat.answering.domain.thread import kinds, place
from chat.answering.domain.writing_rules import WritingRules
from chat.answering.passages import judge
from chat.answering.stages import retrieve
from chat.mcp.domain.arguments import ArgumentLimits
from corpus.catalogue import addresses
from corpus.catalogue import titles as corpus_titles
from corpus.domain import passage, titles
from corpus.domain.duplicates import DuplicateRules
from corpus.domain.nearness import NearnessRules
from corpus.domain.situation import SituationRules
from corpus.domain.text import folding
from corpus.domain.transcription import CaptionRules, PieceRules
from curation.domain.acceptance import CuratedRules
from curation.domain.entry_rules import EntryLimits
from curation.domain.facts import consistency
from curation.domain.facts.consistency import ConsistencyRules
from curation.domain.facts.extraction import ExtractionRules
from curation.domain.facts.grounding import GroundingRules
from curation.domain.gap_answers import GapPinRules
from curation.domain.translation_checks import TranslationRules
from curation.domain.wordings import WordingRules
from curation.facts.neighbours import CellRules
from curation.matching import likeness
from curation.matching.reach import ReachRules
from evaluation.calibration import fit, languages, monotone, passages
from evaluation.judging import rubric
from lectorium.providers import windowing

PAGE = Path(__file__).resolve().parents[2] / "docs" / "thresholds.md"
RULES = (
    DiscardRules(),
    PoolLimits(),
    QuotationRules(),
    ContinuationRules(),
    DuplicateRules(),
    NearnessRules(),
    SituationRules(),
    PieceRules(),
    CaptionRules(),
    CheckRules(),
    CopyRules(),
    OppositionRules(),
    WritingRules(),
    CuratedRules(),
    PinnedRules(),
    ReachRules(),
    EntryLimits(),
    ClusterRules(),
    GapPinRules(),
    WordingRules(),
    ArgumentLimits(),
    CacheRules(),
    FactRules(),
    ReportRules(),
    VaguenessRules(),
    InputRules(),
    SpellingRules(),
    ReadingRules(),
    TranslationRules(),
    CompileRules(),
    GateRules(),
    GuardRules(),
    JudgeRules(),
    DeliveryRules(),
    ExtractionRules(),
    GroundingRules(),
    ConsistencyRules(),
    CellRules(),
)
CONSTANTS = {
    queue: ("READ", "SAMPLE", "FLAGGED", "COMPLAINTS"),
    rubric: ("MARGIN", "HELD"),
    pool: ("RRF_K",),
    echo: ("LEAST", "WHOLE", "SHARED"),
    planning: ("MAX_WORDINGS", "POINTING_WORDS", "LINKED_WORDS", "YEAR_DIGITS", "TERM_WORDS"),
    kinds: ("BRIEF_WORDS", "COMPLEMENTED"),
    place: ("RECALLED_CHARS", "RECALLED_WORDS"),
    retrieve: ("DENSE_HITS", "SENTENCE_HITS", "ADDRESS_HITS", "REFILLS"),
    lexical: (
        "LEXICAL_HITS",
        "SPELLING_HITS",
        "SPELLINGS",
        "UNKNOWN_WORDS",
        "LONGEST_UNKNOWN",
        "COMMON_WORD_CHUNKS",
        "RAREST_WORD_CHUNKS",
        "SEARCHED_WORDS",
    ),
    decompose: ("MAX_PARTS", "SIDE_CHARS", "SIDE_WORDS", "PART_WORDS", "REFINED_CHARS"),
    addresses: ("LONGEST_RANGE", "MOST_ADDRESSES", "MOST_DAYS"),
    corpus_titles: ("NAMESAKES",),
    folding: ("LONGEST_KEPT",),
    titles: ("LONGEST_TITLE", "SHORTEST_WORD"),
    windowing: ("QUERY_TOKENS",),
    likeness: ("JUDGED_AT_MOST", "PHRASINGS_JUDGED"),
    judge: ("ANSWERS", "PROMISING", "SPARE"),
    clip_order: ("LEVELLED",),
    drafted_plan: ("MOST", "LONGEST"),
    fit: ("BUDGET", "LIKELY", "OUTSIDE", "ELSEWHERE"),
    monotone: ("STRENGTH",),
    languages: ("ELSEWHERE",),
    policy: ("LOW_FROM", "MEDIUM_FROM"),
    assembler: ("HOLD",),
    bare_claims: ("OBJECTION_FACTOR",),
    neighbours: ("HEAD",),
    passage: ("CAPTION_OVERRUN_S",),
}


def by_mode():
    """Yield what a mode changes, by name."""
    for mode in modes.RULES:
        yield f"{mode}.cap", modes.LIMITS[mode].cap
        yield f"{mode}.top_k", modes.RULES[mode].top_k
        yield f"{mode}.read", modes.RULES[mode].read
        yield f"{mode}.by_sentence", modes.RULES[mode].by_sentence
        yield f"{mode}.second_looks", modes.SECOND_LOOKS[mode]


def test_the_page_of_thresholds_says_what_the_code_does():
    in_code = {
        f"{type(rules).__name__}.{name}": float(getattr(rules, name)) for rules in RULES for name in rules.__slots__
    }
    in_code |= {
        f"{module.__name__.split('.')[-1]}.{name}": float(getattr(module, name))
        for module, names in CONSTANTS.items()
        for name in names
    }
    in_code |= dict(by_mode())
    in_code |= {f"fit.{kind}": weight for kind, weight in fit.WEIGHTS.items()}
    in_code |= {f"passages.{reference:.2f}": share for reference, (_, share) in passages.BELOW.items()}
    in_code |= {f"consistency.{stem}": days for stem, days in consistency.DRIFT_DAYS.items()}
    on_page = dict(re.findall(r"^\| `([\w.]+)` \| ([\d.]+) \|", PAGE.read_text(encoding="utf-8"), re.M))
    assert {name: float(value) for name, value in on_page.items()} == in_code
