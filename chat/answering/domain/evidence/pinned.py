"""The answer of an accepted pin: one clip for each of its references, in the order that its editors gave them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from chat.answering.domain.evidence.quotation import Clips, EvidenceSentence, QuotationRules, Quote, directness
from corpus.domain.addresses.address import address_keys
from corpus.domain.passage import Passage
from curation.domain.acceptance import CitedReference


@dataclass(frozen=True, slots=True)
class PinnedRules:
    """max_clips: references of a pin that are quoted. whole_words: a passage up to this length is quoted whole."""

    max_clips: int = 8
    whole_words: int = 120


def pinned_clips(
    references: Sequence[CitedReference],
    passages: Sequence[Passage],
    sentences: Sequence[EvidenceSentence],
    rules: PinnedRules,
) -> tuple[Quote, ...]:
    """The clips of a pin, a clip a reference; a reference without a readable sentence gives none.

    sentences: of the passages, by their index in `passages`.
    """
    clips = (_clip(_standing(reference, passages, sentences), rules) for reference in references)
    return tuple(clip for clip in clips if clip)[: rules.max_clips]


def _standing(
    reference: CitedReference, passages: Sequence[Passage], sentences: Sequence[EvidenceSentence]
) -> list[EvidenceSentence]:
    """The sentences at the reference, of the one passage that has most of them; overlapping passages repeat them."""
    held = [sentence for sentence in sentences if passages[sentence.passage].chunk_id in reference.chunks]
    exact = [sentence for sentence in held if reference.key in address_keys(sentence.paragraph)]
    groups = [list(group) for _, group in groupby(exact or held, key=lambda sentence: sentence.passage)]
    if exact:
        return max(groups, key=len, default=[])
    best = max(held, key=lambda sentence: directness(sentence, QuotationRules()), default=None)  # a section, a lecture
    return next((group for group in groups if best in group), [])


def _clip(sentences: Sequence[EvidenceSentence], rules: PinnedRules) -> Quote | None:
    """All the sentences if they are short enough and stand together, else the stretch closest to the question."""
    if not sentences:
        return None
    lead = max(sentences, key=lambda sentence: directness(sentence, QuotationRules()))
    length = sum(len(sentence.text.split()) for sentence in sentences)
    together = sentences[-1].position - sentences[0].position == len(sentences) - 1
    if together and length <= rules.whole_words:
        return Quote(lead.passage, tuple(sentences), sentences.index(lead))
    quoting = QuotationRules()
    clips = Clips(sentences, quoting)
    found = (clips.around(sentence, quoting.closest_words) for sentence in (*clips.ranked(), lead))
    return next((clip for clip in found if clip.sentences), Quote(lead.passage, (lead,)))
