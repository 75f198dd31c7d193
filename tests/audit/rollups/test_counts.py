"""The stored counts equal a full recount, whatever happened in between."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from audit.domain.tallies import Span
from audit.models import ChangedDay, Feedback, ReviewItem, TroubledTurn, TurnAudit, TurnCount
from audit.rollups.counting import count_days
from audit.rollups.services import counts_refresh, days_changed
from audit.selectors import slice_counts, troubling_sources, worst_turns
from audit.services import turn_audits_forget
from audit.tasks import count_turns
from audit.turn_reviews.queue import items_add
from audit.turn_reviews.services import review_give
from tests.audit.feedback_rows import a_turn, give
from tests.audit.recorded import NOW, TODAY, a_few_days, draft, recorded, sentence

pytestmark = pytest.mark.django_db
EVER = Span.ending(TODAY, 30)
FIELDS = ("day", "mode", "dimension", "value", "kind", "name", "number")


def stored():
    return sorted(TurnCount.objects.values_list(*FIELDS))


def recounted():
    return sorted(map(tuple, count_days(EVER)))


def written_by(model, **more):
    served = [{"job": "synthesize", "outcome": "written", "model": model, "prompt": "v3"}]
    return recorded(served=served, plan={"language": "en"}, **more)


def reviewed(audit, reviewer, decision):
    items_add([audit.pk], ReviewItem.Source.HAND)
    item = ReviewItem.objects.get(audit=audit)
    review_give(item_id=item.pk, reviewer_id=reviewer.pk, decision=decision, sentences=[], note="")


def test_counts_equal_a_full_recount_after_every_late_change(admin_user):
    a_few_days()
    turn = a_turn()
    audit = written_by("small", days_ago=3)
    TurnAudit.objects.filter(pk=audit.pk).update(conversation_id=turn.conversation_id, turn_id=turn.pk)
    counts_refresh()
    assert stored() == recounted()
    give(turn)
    assert stored() != recounted()
    assert counts_refresh() == [TODAY - timedelta(days=3)]
    assert stored() == recounted()
    reviewed(audit, admin_user, "disagree")
    counts_refresh()
    assert stored() == recounted()
    late = TurnCount.objects.filter(dimension="", kind__in=["feedback", "review"])
    assert set(late.values_list("name", "number")) == {("not_said", 1), ("disagree", 1)}
    turn_audits_forget(conversation_id=turn.conversation_id, turn_ids=[turn.pk], ended=[])
    counts_refresh()
    assert stored() == recounted()
    assert not Feedback.objects.exists()


def test_counting_a_day_twice_changes_nothing():
    a_few_days()
    counts_refresh()
    first = stored()
    days_changed([TODAY, TODAY])
    assert counts_refresh() == [TODAY]
    assert stored() == first
    assert counts_refresh() == []
    assert not ChangedDay.objects.exists()


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Pacific/Apia"])
def test_days_are_utc_across_a_change_of_the_clocks(zone):
    for hours in range(72):  # 29 March 2026, 01:00 UTC: clocks go forward in Berlin
        audit = recorded()
        at = datetime(2026, 3, 28, tzinfo=UTC) + timedelta(hours=hours)
        TurnAudit.objects.filter(pk=audit.pk).update(created_at=at)
        days_changed([at.date()])
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL TIME ZONE %s", [zone])
    counts_refresh()
    turns = TurnCount.objects.filter(dimension="", kind="outcome").order_by("day").values_list("day", "number")
    assert [(day.day, number) for day, number in turns] == [(28, 24), (29, 24), (30, 24)]


def test_an_empty_database_is_counted_in_an_empty_way():
    assert count_turns() == "0 days counted"
    days_changed([TODAY])
    assert counts_refresh() == [TODAY]
    assert stored() == []


def test_a_page_leaves_many_changed_turns_to_the_job():
    for _ in range(4):
        recorded()
    assert counts_refresh(most=3) == []
    assert ChangedDay.objects.exists()
    assert counts_refresh(most=4) == [TODAY]


def test_turns_are_cut_by_the_model_that_wrote_and_by_its_prompt():
    written_by("small")
    written_by("large")
    written_by("large", mode="thinking")
    recorded("refused")
    counts_refresh()
    turns = {
        dimension: {
            value: sum(count.number for count in counts if count.kind == "outcome")
            for value, counts in slice_counts(EVER, "", dimension).items()
        }
        for dimension in ("model", "prompt", "language", "mode", "collection")
    }
    assert turns == {
        "model": {"small": 1, "large": 2, "": 1}, "prompt": {"v3": 3, "": 1}, "language": {"en": 3, "": 1},
        "mode": {"auto": 3, "thinking": 1}, "collection": {},
    }  # fmt: skip


def test_the_worst_turns_are_those_that_people_object_to(admin_user):
    caught = recorded(writing=[draft(sentence("contradicted", "unsupported_claims"))])
    complained, disagreed = recorded(), recorded(candidates=[{"kept": True, "address": "gita-talks:12"}])
    turn = a_turn()
    TurnAudit.objects.filter(pk=complained.pk).update(conversation_id=turn.conversation_id, turn_id=turn.pk)
    give(turn)
    reviewed(disagreed, admin_user, "disagree")
    recorded(candidates=[{"kept": True, "address": "gita-talks:3"}, {"kept": False, "address": "other:1"}])
    counts_refresh()
    assert [(turn.id, turn.trouble) for turn in worst_turns(EVER)] == [
        (disagreed.pk, "a reviewer disagrees"), (complained.pk, "a complaint"), (caught.pk, "caught by the checks"),
    ]  # fmt: skip
    assert troubling_sources(EVER) == [("gita-talks", 1, 2)]


def test_of_each_day_only_the_worst_and_the_latest_are_kept():
    for minute in range(50):
        audit = recorded(writing=[draft(sentence("unsupported", "uncited"))])
        TurnAudit.objects.filter(pk=audit.pk).update(created_at=NOW + timedelta(minutes=minute))
    counts_refresh()
    assert TroubledTurn.objects.count() == 20
    assert TroubledTurn.objects.latest("at").at == NOW + timedelta(minutes=49)
