"""Editors see what every entry would do for a question, with unsaved edits too."""

from dataclasses import replace
from uuid import uuid4

import pytest

from audit.models import TurnAudit
from corpus.selectors import ANYWHERE, serving_space
from curation.lookup import curated_matches, curation_version
from curation.matching.entries import entry_of
from curation.matching.likeness import MatchedQuestion
from curation.matching.reach import wide_triggers
from curation.matching.trial import with_entry, without_entry
from curation.models import PinnedQuestion
from curation.preview import NOT_FITTED, NOT_INDEXED, preview_match
from lectorium.providers.stand_ins.hashing import HashingEmbedder
from tests.factories import a_collection, a_note, a_pin

pytestmark = pytest.mark.django_db
ASKED = "How should one work without wanting anything?"


def preview(question=ASKED, entry=None):
    return {row.title: row for row in preview_match(question, language="en", scope=ANYWHERE, entry=entry)}


def matches(scope=ANYWHERE):
    question = MatchedQuestion([ASKED], HashingEmbedder().embed_questions([ASKED]), [True], "en")
    return [match.entry.title for match in curated_matches(question, space=serving_space(), scope=scope)]


def test_every_entry_is_shown_with_what_it_would_do(corpus):
    a_pin(ASKED, ["BG 2.47", "BG 2.48"], state="draft")
    a_pin("Who refused to bow?", ["BG 2.47"])
    a_note("Work", ["BG 2.47"], triggers=["wanting"])
    rows = preview()
    assert rows[ASKED].would == "Answers with its 2 passages, in its order."
    assert (rows[ASKED].similarity, rows[ASKED].state) == (1.0, "draft")
    assert (rows["Who refused to bow?"].accepted, rows["Who refused to bow?"].would) == (False, "Nothing.")
    assert "The gate may still refuse" in rows["Work"].would
    assert rows["Work"].reason == "The question says this trigger."


def test_unsaved_edits_take_the_place_of_the_stored_entry(corpus):
    pin = a_pin("Who refused to bow?", ["BG 2.47"])
    edited = replace(entry_of(pin), phrasings=(ASKED,))
    assert set(preview(entry=edited)) == {ASKED}
    assert preview(entry=edited)[ASKED].is_tried
    new = entry_of(PinnedQuestion(question=ASKED))
    assert preview(entry=new)[ASKED].would.startswith("Nothing: none of its references")


def test_a_question_with_one_word_changed_is_rejected_with_the_reason(corpus):
    a_pin(ASKED, ["BG 2.47"])
    row = preview("How should one sleep without wanting anything?")[ASKED]
    assert (row.accepted, row.reason) == (False, f"It has much of “{ASKED}”, but another word in place of one.")
    assert "turns it around" in preview("How should one not work without wanting anything?")[ASKED].reason


def test_two_pins_that_answer_the_same_question_collide(corpus):
    a_pin(ASKED, ["BG 2.47"])
    a_pin("Another", ["BG 2.48"], phrasings=[ASKED])
    rows = preview()
    assert rows[ASKED].collides
    assert rows["Another"].collides


def test_an_entry_that_waits_for_the_index_job_says_so(corpus):
    pin = a_pin(ASKED, ["BG 2.47"])
    pin.question = "What is dharma?"
    pin.save()
    assert preview()["What is dharma?"].reason == NOT_INDEXED


def test_without_a_fitted_rule_exact_wordings_still_match(corpus, settings, tmp_path):
    settings.CALIBRATIONS_DIR = tmp_path
    a_pin(ASKED, ["BG 2.47"])
    a_note("Work", ["BG 2.47"], triggers=["wanting"])
    assert matches() == [ASKED, "Work"]
    assert "not fitted" in NOT_FITTED
    assert not preview("How should someone act and wish for nothing?")[ASKED].accepted


def test_a_pin_for_one_collection_answers_its_readers_alone(corpus):
    mine, other = a_collection(), a_collection("another")
    a_pin(ASKED, ["BG 2.47"], collection=mine)
    assert matches() == [ASKED]
    assert matches(replace(ANYWHERE, collections=(other.pk,))) == []


def test_a_question_can_be_asked_with_an_entry_and_without_it(corpus):
    pin = a_pin(ASKED, ["BG 2.47"])
    version = curation_version()
    with without_entry(pin.pk):
        assert matches() == []
        assert curation_version() != version
    with with_entry(replace(entry_of(pin), phrasings=("Something else",))):
        assert matches() == []
    assert matches() == [ASKED]
    assert curation_version() == version


def asked(*questions):
    for question in questions:
        TurnAudit.objects.create(
            conversation_id="00000000-0000-0000-0000-000000000001", turn_id=uuid4(), question=question,
            outcome="grounded", mode="auto", confidence=1.0,
        )  # fmt: skip


def test_a_trigger_that_catches_much_is_named_with_its_share():
    asked(*["What is karma?"] * 15, *["Who is Arjuna?"] * 15)
    (wide,) = wide_triggers(["karma", "dharma"], "en")
    assert (wide.trigger, wide.caught, wide.asked) == ("karma", 15, 30)
    assert wide.warning.startswith("“karma” would have caught 50% of last month's questions (15 of 30).")
    assert [reach.trigger for reach in wide_triggers(["what"], "en")] == ["what"]


def test_a_share_of_few_questions_says_nothing():
    asked("What is karma?")
    assert wide_triggers(["karma"], "en") == []
    (wide,) = wide_triggers(["what is", "karma", " "], "en")
    assert wide.warning.startswith("“what is” has only words that most questions have.")
