"""Glossary terms with the same meaning, found in a question so that retrieval looks for all of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

LONGEST_TERM = 5  # words
WORDINGS = 2

# The entries of a new database; editors change them in admin. The Sanskrit term leads where it is narrower.
FIRST_ENTRIES = {
    "soul": ("ātmā", "ātman", "jīva"),
    "God": ("Bhagavān", "Īśvara"),
    "supreme soul": ("Paramātmā", "oversoul"),
    "the absolute": ("Brahman",),
    "devotion": ("bhakti",),
    "knowledge": ("jñāna",),
    "duty": ("dharma",),
    "renunciation": ("sannyāsa", "vairāgya"),
    "meditation": ("dhyāna",),
    "concentration": ("dhāraṇā",),
    "liberation": ("mokṣa", "mukti"),
    "illusion": ("māyā",),
    "rebirth": ("reincarnation", "transmigration", "saṃsāra"),
    "breath control": ("prāṇāyāma",),
    "posture": ("āsana",),
    "non-violence": ("ahiṃsā",),
    "spiritual master": ("guru", "ācārya"),
    "disciple": ("śiṣya",),
    "modes of nature": ("guṇas", "qualities of nature"),
    "material nature": ("prakṛti",),
    "sacrifice": ("yajña",),
    "austerity": ("tapas", "tapasya", "penance"),
    "scripture": ("śāstra",),
    "caste": ("varṇa", "jāti"),
    "bliss": ("ānanda",),
    "monk": ("sannyāsī", "bhikṣu"),
}

Stems = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """A term as written, and its stems in the index."""

    text: str
    stems: Stems


def terms_in(
    stems: Sequence[str], groups: Mapping[Stems, Sequence[GlossaryTerm]]
) -> list[tuple[int, int, Sequence[GlossaryTerm]]]:
    """The longest glossary terms in a question, as (first word, end, other terms of the entry)."""
    found: list[tuple[int, int, Sequence[GlossaryTerm]]] = []
    at = 0
    while at < len(stems):
        for end in range(min(at + LONGEST_TERM, len(stems)), at, -1):
            if others := groups.get(tuple(stems[at:end])):
                found.append((at, end, others))
                at = end - 1
                break
        at += 1
    return found


def reworded(words: Sequence[str], found: Iterable[tuple[int, int, Sequence[GlossaryTerm]]]) -> tuple[str, ...]:
    """Up to WORDINGS wordings of a question in which terms are replaced by their synonyms."""
    listed = list(found)
    rows = []
    for choice in range(min(WORDINGS, max((len(others) for _, _, others in listed), default=0))):
        wording = list(words)
        for at, end, others in reversed(listed):
            wording[at:end] = [others[min(choice, len(others) - 1)].text]
        rows.append(" ".join(wording))
    return tuple(dict.fromkeys(rows))
