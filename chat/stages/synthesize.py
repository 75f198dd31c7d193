"""Stage 4 without a chat model: answer in the sources' own sentences."""

from collections.abc import Sequence

from chat.domain.evidence import Evidence
from chat.domain.pool import Candidate
from chat.domain.quotation import QuotationRules, Quote, Sentence, choose_quotes


def synthesize(evidence: Evidence, rules: QuotationRules) -> tuple[Quote, ...]:
    """Return the quotes that answer, the most direct first; an addressed passage is quoted from its beginning."""
    addressed = [index for index, one in enumerate(evidence.candidates) if one.at_address]
    if addressed:
        return _whole(evidence.candidates, evidence.sentences, addressed[: rules.max_sentences])
    return choose_quotes(evidence.sentences, rules)


def _whole(
    candidates: Sequence[Candidate], sentences: Sequence[Sentence], addressed: Sequence[int]
) -> tuple[Quote, ...]:
    """Return each addressed passage's sentences; of a lecture's, those of the paragraph that was asked for."""
    quotes = []
    for index in addressed:
        asked = candidates[index].passage.address
        inside = tuple(one for one in sentences if one.passage == index and one.paragraph == asked)
        if inside:
            quotes.append(Quote(index, inside))
    return tuple(quotes)
