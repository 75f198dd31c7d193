import re
from pathlib import Path

from chat.domain.caching import CacheRules
from chat.domain.checking import CheckRules
from chat.domain.conflicts import FactRules
from chat.domain.pool import PoolLimits
from chat.domain.quotation import QuotationRules
from chat.domain.selection import DiscardRules
from chat.domain.writing import WritingRules
from corpus.domain.duplicates import DuplicateRules
from corpus.domain.nearness import NearnessRules
from curation.domain.acceptance import CuratedRules

PAGE = Path(__file__).resolve().parents[2] / "docs" / "thresholds.md"
RULES = (
    DiscardRules(),
    PoolLimits(),
    QuotationRules(),
    DuplicateRules(),
    NearnessRules(),
    CheckRules(),
    WritingRules(),
    CuratedRules(),
    CacheRules(),
    FactRules(),
)


def test_the_page_of_thresholds_says_what_the_code_does():
    in_code = {
        f"{type(rules).__name__}.{name}": float(getattr(rules, name)) for rules in RULES for name in rules.__slots__
    }
    on_page = dict(re.findall(r"^\| `([\w.]+)` \| ([\d.]+) \|", PAGE.read_text(encoding="utf-8"), re.M))
    assert {name: float(value) for name, value in on_page.items()} == in_code
