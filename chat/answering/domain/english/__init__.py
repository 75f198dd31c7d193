"""English grammar rules, behind one entry: nothing outside imports these modules, only this package."""

from chat.answering.domain.english.attribution import known_of
from chat.answering.domain.english.bare_claims import bare_source, denied, doubted, doubts
from chat.answering.domain.english.claims import atomic_claims, draws_conclusion, is_framing
from chat.answering.domain.english.guards import Judged, Library, Source, Turn, Weighed, weigh
from chat.answering.domain.english.snippets import find_quotation, quotations
from chat.answering.domain.english.splitting import SCHEMA, SplitFault, may_be_split, parse_split

__all__ = [
    "SCHEMA",
    "Judged",
    "Library",
    "Source",
    "SplitFault",
    "Turn",
    "Weighed",
    "atomic_claims",
    "bare_source",
    "denied",
    "doubted",
    "doubts",
    "draws_conclusion",
    "find_quotation",
    "is_framing",
    "known_of",
    "may_be_split",
    "parse_split",
    "quotations",
    "weigh",
]
