"""Texts of one upload that say nearly the same count once: saying a thing twelve times gains no places by it.

Only within an upload: agreement of independent sources is no repetition, and a passage planted to resemble a true one
may not push it out. Evidence for the numbers: docs/thresholds.md.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from uuid import UUID

from chat.answering.domain.evidence.pool import NAMED, Candidate, Hit
from corpus.domain.passage import Passage
from corpus.domain.text.sentences import sentence_spans

VERSE = "verse"
Likeness = Callable[[int, int], float]  # of two texts, by their places: their cosine on the reference scale


@dataclass(frozen=True, slots=True)
class CopyRules:
    """alike: likeness, 0..1, from which two texts say nearly the same; overlapping: the same for neighbours that share
    sentences, as chunks of a lecture do. sources: of an upload, that may say the same: one, and one that may differ in
    a word that counts. upload_s: the most seconds between the imports of two sources of one upload.
    """

    alike: float = 0.83
    overlapping: float = 0.92
    sources: int = 2
    upload_s: float = 20.0


def copied_passages(
    candidates: Sequence[Candidate], alike: Likeness, asks: Sequence[bool], rules: CopyRules
) -> list[int]:
    """Return the places of candidates that say nearly what an earlier one of their upload says.

    asks: whether each says the reader's question again, which honest passages of one source hardly do twice.
    """

    def says_same(one: int, other: int) -> bool:
        likeness = alike(one, other)
        if likeness >= rules.overlapping:
            return True
        if likeness < rules.alike and not (asks[one] and asks[other]):
            return False
        return not share_sentences(candidates[one].passage, candidates[other].passage)

    return copies_among(candidates, says_same, rules)


def copies_among(said_in: Sequence[Candidate], says_same: Callable[[int, int], bool], rules: CopyRules) -> list[int]:
    """Return the places of texts that repeat an earlier one of their upload.

    said_in: the candidate that holds each text. Of each group the first text of a source stands, for as many sources as
    the rules let. Verses are not compared, because each has an address of its own; what was looked up by its place
    stands.
    """
    passages = [candidate.passage for candidate in said_in]
    group = list(range(len(passages)))
    for place, earlier in compared(said_in, rules):
        if says_same(place, earlier):
            group = [group[place] if label == group[earlier] else label for label in group]
    standing: dict[int, set[UUID]] = {}
    copies = []
    for place, candidate in enumerate(said_in):
        sources = standing.setdefault(group[place], set())
        if _can_be_copy(candidate) and (passages[place].source_id in sources or len(sources) >= rules.sources):
            copies.append(place)
        sources.add(passages[place].source_id)
    return copies


def compared(said_in: Sequence[Candidate], rules: CopyRules) -> list[tuple[int, int]]:
    """Return the pairs of places that can be copies: texts of one upload that are no verses."""
    spoken = [(place, each.passage) for place, each in enumerate(said_in) if each.passage.kind != VERSE]
    return [
        (place, later)
        for (place, one), (later, other) in combinations(spoken, 2)
        if is_of_one_upload(one, other, rules)
    ]


def closed_up(hits: Iterable[Hit], gone: Collection[UUID]) -> list[Hit]:
    """Return the hits without these chunks, with no gaps between the ranks of a lane and wording."""
    left = [hit for hit in hits if hit.chunk_id not in gone]
    ranks: dict[tuple[str, int], set[int]] = {}
    for hit in left:
        ranks.setdefault((hit.lane, hit.wording), set()).add(hit.rank)
    places = {
        (*found_by, rank): place for found_by, held in ranks.items() for place, rank in enumerate(sorted(held), 1)
    }
    return [replace(hit, rank=places[hit.lane, hit.wording, hit.rank]) for hit in left]


def is_of_one_upload(one: Passage, other: Passage, rules: CopyRules) -> bool:
    """Whether both are of one source, or of sources that were imported together."""
    if one.source_id == other.source_id:
        return True
    if one.imported_s is None or other.imported_s is None:
        return False
    return abs(one.imported_s - other.imported_s) <= rules.upload_s


def share_sentences(one: Passage, other: Passage) -> bool:
    """Whether two neighbours of one source overlap: the last sentence of the first and the first of the second are in
    both."""
    if one.source_id != other.source_id or abs(one.ordinal - other.ordinal) != 1:
        return False
    first, second = sorted((one, other), key=lambda passage: passage.ordinal)
    ends, begins = sentence_spans(first.text), sentence_spans(second.text)
    if not ends or not begins:
        return False
    return first.text[slice(*ends[-1])] in second.text and second.text[slice(*begins[0])] in first.text


def _can_be_copy(candidate: Candidate) -> bool:
    return not candidate.is_bridge and NAMED.isdisjoint(candidate.lanes)
