"""Every kind of lie and its rule. A rule returns None where the sentence does not lend itself."""

from . import changes, inventions
from .changes import Rule

RULES: dict[str, Rule] = {
    "invented_marker": inventions.invented_marker,
    "moved_marker": inventions.moved_marker,
    "changed_number": changes.changed_number,
    "negation": changes.negation,
    "swapped_agent": changes.swapped_agent,
    "invented_quote": inventions.invented_quote,
    "over_generalisation": changes.over_generalisation,
    "present_for_past": changes.present_for_past,
    "added_detail": inventions.added_detail,
    "invented_lecture": inventions.invented_lecture,
    "obeyed_instruction": inventions.obeyed_instruction,
}
