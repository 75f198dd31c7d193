import pytest

from articles.domain.body import ArticleBody, ArticleSection, ArticleSentence, ClaimCheck, SentenceCheck, sections_of
from articles.domain.changes import sentence_changes
from articles.domain.halugate import (
    ArticleRisk,
    GateCounts,
    GateRules,
    counts_of,
    objection_to_publishing,
    risk_of_article,
)

RULES = GateRules()
PASSED = SentenceCheck("supported", "checked", (ClaimCheck("a", "supported", 0.9),))
FLAGGED = SentenceCheck(
    "unsupported", "", (ClaimCheck("a", "unsupported", 0.1),), (), ("The cited sources do not say this.",)
)


def body(*checks):
    return ArticleBody(
        (
            ArticleSection(
                "A talk", tuple(ArticleSentence(f"S{n}.", 0, (1,), (), check) for n, check in enumerate(checks))
            ),
        )
    )


@pytest.mark.parametrize(
    ("passed", "flagged", "strays", "risk"),
    [
        (10, 0, 0, ArticleRisk.LOW),
        (99, 1, 0, ArticleRisk.MEDIUM),  # something is flagged
        (6, 4, 0, ArticleRisk.MEDIUM),
        (5, 4, 0, ArticleRisk.HIGH),
        (10, 0, 1, ArticleRisk.HIGH),  # it cites what it was not given
        (0, 0, 0, ArticleRisk.LOW),
    ],
)
def test_the_risk_follows_the_share_of_supported_claims(passed, flagged, strays, risk):
    counts = counts_of(body(*[PASSED] * passed, *[FLAGGED] * flagged).sentences, strays)
    assert (counts.sentences, counts.flagged) == (passed + flagged, flagged)
    assert risk_of_article(counts, RULES) is risk


def test_a_sentence_whose_claims_stand_but_which_is_flagged_counts_against_the_article():
    forged = SentenceCheck(
        "unsupported", "", PASSED.claims, (), ("It quotes words that the cited sources do not have.",)
    )
    assert counts_of(body(forged).sentences, 0) == GateCounts(claims=2, supported=1, sentences=1, flagged=1)
    without_claims = SentenceCheck("unsupported", flags=("Its source was withdrawn or is gone: [1].",))
    assert counts_of(body(without_claims).sentences, 0).proved_share == 0


def test_a_conclusion_does_not_lower_the_risk():
    inferred = SentenceCheck("inferred", "", (ClaimCheck("So a.", "inferred", 0.7),), (), ("In part.",))
    assert counts_of(body(inferred, PASSED).sentences, 0).proved_share == 0.5


@pytest.mark.parametrize(
    ("checks", "risk", "checked", "reviewed", "objection"),
    [
        ((PASSED,), "low", True, False, ""),
        ((PASSED,), "low", False, False, "has not checked"),
        ((PASSED, FLAGGED), "high", True, False, "a reviewer has to look"),
        ((PASSED, FLAGGED), "high", True, True, ""),
        ((FLAGGED,), "high", True, True, "empty page"),
    ],
)
def test_what_stands_in_the_way_of_publishing(checks, risk, checked, reviewed, objection):
    said = objection_to_publishing(body(*checks), risk, checked=checked, reviewed=reviewed)
    assert (objection in said) if objection else said == ""


def test_only_a_flagged_sentence_can_be_kept():
    kept = body(PASSED, FLAGGED, FLAGGED).keeping([0, 2, 9])
    assert [sentence.kept for sentence in kept.sentences] == [False, False, True]
    assert [sentence.is_readable for sentence in kept.sentences] == [True, False, True]


def test_a_section_begins_where_a_paragraph_first_cites_another_source():
    sentences = [ArticleSentence(f"S{n}.", paragraph, cited) for n, (paragraph, cited) in enumerate(
        [(0, ()), (1, (1,)), (2, (2,)), (3, ()), (4, (3, 1)), (4, (1,))]
    )]  # fmt: skip
    made = sections_of(sentences, {1: "One", 2: "Two", 3: "Two"})
    assert [(section.heading, len(section.sentences)) for section in made.sections] == [("One", 2), ("Two", 4)]
    assert sections_of([], {}) == ArticleBody()


def test_changes_show_what_was_added_and_removed_where_it_stood():
    before, after = body(PASSED, PASSED, PASSED), body(PASSED, PASSED)
    assert [(change.kind, change.text) for change in sentence_changes(before, after)] == [
        ("same", "S0."), ("same", "S1."), ("removed", "S2."),
    ]  # fmt: skip
    assert [change.kind for change in sentence_changes(ArticleBody(), after)] == ["added", "added"]
