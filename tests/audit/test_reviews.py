import json
from io import StringIO

import pytest
from django.core.management import call_command

from audit.models import Feedback
from tests.audit.feedback_rows import QUOTE, a_turn, give

pytestmark = pytest.mark.django_db


def export(what, tmp_path):
    out, said = tmp_path / "out.jsonl", StringIO()
    call_command("export_reviews", what, str(out), stderr=said)
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert said.getvalue().startswith(f"{len(rows)} reviewed {what} written to")
    return rows


def reviewed(row, review):
    Feedback.objects.filter(pk=row.pk).update(review=review)
    return str(row.pk)


def test_reviewed_claims_are_labelled_by_the_review(tmp_path):
    agreed, disagreed = (reviewed(give(a_turn()), review) for review in ("agree", "disagree"))
    reviewed(give(a_turn()), "note")
    give(a_turn())
    reviewed(give(a_turn(), "helpful"), "agree")
    first, second = export("claims", tmp_path)
    assert first == {
        "id": agreed, "evidence": QUOTE, "claim": "Iblis would not bow.", "label": "unsupported", "kind": "not_said",
        "address": "first-steps:1", "verdict": "supported",
    }  # fmt: skip
    assert (second["id"], second["label"]) == (disagreed, "supported")


def test_a_claim_copied_from_the_quote_is_not_exported(tmp_path):
    verbatim = a_turn(sentences=[{"text": QUOTE, "citations": [1], "verdict": "supported"}])
    reviewed(give(verbatim), "agree")
    assert export("claims", tmp_path) == []


def test_reviewed_answers_are_written_with_their_questions(tmp_path):
    refused = reviewed(give(a_turn(outcome="refused"), "in_sources"), "agree")
    reviewed(give(a_turn()), "agree")
    assert export("answers", tmp_path) == [
        {"id": refused, "question": "Who refused?", "kind": "in_sources", "label": "agree", "outcome": "refused",
         "answer": "Nothing here."}
    ]  # fmt: skip


def test_redacted_feedback_is_not_exported(tmp_path, settings):
    settings.REDACT = "all"
    reviewed(give(a_turn()), "agree")
    reviewed(give(a_turn(), "helpful"), "agree")
    assert export("claims", tmp_path) == export("answers", tmp_path) == []


def test_reviewed_claims_can_be_verified(tmp_path):
    reviewed(give(a_turn()), "agree")
    export("claims", tmp_path)
    call_command("verify", str(tmp_path / "out.jsonl"), str(tmp_path / "verified.jsonl"), stderr=StringIO())
    assert "verdict" in (tmp_path / "verified.jsonl").read_text()
