import pytest

from articles.domain.body import ArticleSentence, sections_of
from articles.domain.halugate import FOLLOWS, IN_PART
from articles.gate import check_body
from chat.answering.domain.english import Library, atomic_claims
from chat.answering.domain.footnotes import mint
from tests.curation.facts.readers import SupportingVerifier
from tests.domain.written import passage

NOTE = "The banyan tree sends down roots from its branches."


@pytest.mark.parametrize(
    ("text", "support", "verdict", "flag"),
    [
        ("Branches of the banyan send roots down.", 0.95, "supported", None),
        ("Branches of the banyan send roots down.", 0.75, "partial", IN_PART),
        ("It follows that such giants propagate without any gardener.", 0.75, "inferred", FOLLOWS),
    ],
)
def test_what_only_follows_from_a_source_is_flagged_as_that(text, support, verdict, flag):
    body = sections_of([ArticleSentence(text, 0, (1,))], {1: "Trees"})
    judge = SupportingVerifier(support=support)
    result = check_body(
        body, mint([passage(NOTE)]), judge, topic="banyans", gone=frozenset(), strays=0, library=Library(),
        split=atomic_claims,
    )  # fmt: skip
    (sentence,) = result.body.sentences
    assert sentence.check.verdict == verdict
    assert sentence.check.flags == ((flag,) if flag else ())
    assert result.counts.inferred == (verdict == "inferred")
