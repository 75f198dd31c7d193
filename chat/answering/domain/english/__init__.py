"""English grammar rules. Other code imports this package only, never its modules."""

from chat.answering.domain.english.attribution import metadata_sentences
from chat.answering.domain.english.bare_claims import bare_source, is_denied, objection_kinds, reduced_support
from chat.answering.domain.english.claims import atomic_claims, draws_conclusion, is_framing
from chat.answering.domain.english.guards import (
    CheckedClaim,
    Library,
    SourceText,
    TurnContext,
    VerifierJudgement,
    check_claim,
)
from chat.answering.domain.english.snippets import find_quotation, quotations
from chat.answering.domain.english.sources import ClaimSources, claim_sources
from chat.answering.domain.english.splitting import SCHEMA, SplitFault, may_be_split, parse_split

__all__ = [
    "SCHEMA",
    "CheckedClaim",
    "ClaimSources",
    "Library",
    "SourceText",
    "SplitFault",
    "TurnContext",
    "VerifierJudgement",
    "atomic_claims",
    "bare_source",
    "check_claim",
    "claim_sources",
    "draws_conclusion",
    "find_quotation",
    "is_denied",
    "is_framing",
    "may_be_split",
    "metadata_sentences",
    "objection_kinds",
    "parse_split",
    "quotations",
    "reduced_support",
]
