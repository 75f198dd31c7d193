"""A few days of recorded turns, small enough to count by hand."""

import uuid
from datetime import UTC, datetime, timedelta

from audit.models import DeletedTurns, TurnAudit
from audit.rollups.services import days_changed

NOW = datetime(2026, 1, 14, 12, tzinfo=UTC)  # a Wednesday
TODAY = NOW.date()


def sentence(verdict="supported", withheld="", claims=None, cited=(1,)):
    """A model's sentence as recorded in the trace."""
    return {
        "text": "It is so.", "verdict": verdict, "withheld": withheld, "cited": list(cited),
        "claims": [{"verdict": value} for value in claims or [verdict]],
    }  # fmt: skip


def draft(*sentences, dropped=()):
    return {"sentences": list(sentences), "dropped": [{"reason": reason, "text": "[^9]"} for reason in dropped]}


def shown(*verdicts, quoted=False):
    """Shown sentences with one claim each."""
    return [
        {"kind": "factual", "verdict": verdict, "quoted": quoted, "claims": [{"verdict": verdict}]}
        for verdict in verdicts
    ]


def told(faithfulness=1.0, claims=1, inferred=0):
    return {"faithfulness": faithfulness, "claims_total": claims, "claims_inferred": inferred}


def recorded(outcome="grounded", *, days_ago=0, reason="", mode="auto", question="Who spoke?", took=(), **more):
    """Record a turn; `more`: validation, and parts of the trace."""
    validation = more.pop("validation", {})
    audit = TurnAudit.objects.create(
        conversation_id=uuid.uuid4(), turn_id=uuid.uuid4(), question=question, outcome=outcome, reason=reason,
        mode=mode, confidence=0.9, validation=validation, timings_ms=dict(took), trace=more,
    )  # fmt: skip
    TurnAudit.objects.filter(pk=audit.pk).update(created_at=NOW - timedelta(days=days_ago))
    days_changed([TODAY - timedelta(days=days_ago)])
    return audit


def a_few_days():
    """Record eleven turns in the last week, one before it, and four deleted ones."""
    lie = sentence("contradicted", "unsupported_claims", ["supported", "contradicted"], cited=(1, 2))
    again = sentence("supported", "repeated")
    recorded(  # written: one of four sentences caught, one repeated; two of three shown claims are supported
        validation=told(0.6667, 3),
        writing=[draft(sentence(), sentence("partial"), lie, again, dropped=["never_minted", "repeated"])],
        sentences=[*shown("supported", "partial"), *shown("supported", quoted=True)],
        withheld=[{"reason": "unsupported_claims"}, {"reason": "repeated"}],
        took={"plan": 10, "total": 100},
    )
    recorded(  # two clean drafts
        days_ago=1,
        mode="thinking",
        validation=told(1.0, 2, 1),
        writing=[draft(sentence()), draft(sentence("inferred"))],
        sentences=shown("supported", "inferred"),
        took={"plan": 20, "total": 300},
    )
    recorded(  # under policy "warn"
        "partially_grounded",
        days_ago=1,
        validation=told(0.0),
        writing=[draft(sentence("unsupported", "uncited", cited=()))],
        sentences=shown("unsupported"),
    )
    recorded(days_ago=2, validation=told(), sentences=shown("supported", quoted=True), took={"plan": 30, "total": 200})
    recorded(  # the first answer from the cache: its sentences do not count twice
        cached={"turn": "x"}, validation=told(0.6667, 3), sentences=shown("supported", "partial"),
        withheld=[{"reason": "unsupported_claims"}], took={"total": 5},
    )  # fmt: skip
    recorded("refused", reason="outside_corpus", days_ago=2)
    recorded("refused", reason="unsupported_claims", days_ago=6, validation=told(1.0, 0),
             writing=[draft(sentence("unsupported", "SNIPPET_MISMATCH"))],
             withheld=[{"reason": "SNIPPET_MISMATCH"}])  # fmt: skip
    recorded("no_retrieval")
    recorded("interrupted", lost=True, sent=[])
    recorded("failed", fault="Uncalibrated")
    recorded("out_of_corpus", writing=[{"outside": True}], sentences=[{"kind": "outside", "quoted": False}])
    recorded("refused", reason="outside_corpus", days_ago=7)
    for outcome, reason, days_ago, turns in (
        ("refused", "outside_corpus", 0, 2),
        ("grounded", "", 3, 1),
        ("grounded", "", 8, 1),
    ):
        day = TODAY - timedelta(days=days_ago)
        DeletedTurns.objects.create(day=day, mode="auto", outcome=outcome, reason=reason, turns=turns)
