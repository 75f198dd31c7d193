"""Fills a site with words that try to run, wherever somebody may write words; prints the pages that show them.

Run by `manage.py shell`, as an operator would.
"""

import json
from urllib.parse import quote
from uuid import uuid4

from django.contrib import admin
from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from audit.domain.gaps import Gap
from audit.gaps import gap_join
from audit.models import (
    Feedback,
    GapCluster,
    GuardAlert,
    JudgeRun,
    KnowledgeGap,
    RegressionCase,
    Replay,
    ReviewedCase,
    ReviewItem,
    TurnAudit,
)
from chat.conversations.sharing import link_make
from chat.conversations.viewers import viewer_of
from chat.models import Conversation, Turn
from corpus.models import GlossaryEntry, Import
from tests.curation.fact_rows import a_contradiction, a_fact
from tests.e2e.hostile_words import HOSTILE, PASSWORD
from tests.factories import a_collection, a_lecture, a_note, a_pin, a_timed_lecture, a_work


def fill():
    """Write hostile words into one row of everything that keeps words."""
    shelf = a_collection("hostile", "restricted")  # seen by no other test's reader
    shelf.title = HOSTILE[:200]
    shelf.save()
    facts = {"title": HOSTILE, "speaker": HOSTILE[:200], "place": HOSTILE[:200], "series": HOSTILE[:200]}
    lecture = a_lecture(HOSTILE, HOSTILE, key="hostile", collection=shelf, **facts)
    timed = a_timed_lecture((HOSTILE, 0.0, 2.0), key="hostile-timed", collection=shelf, **facts)
    work = a_work({"Hurt 1:1": HOSTILE, "Hurt 1:2": HOSTILE}, key="hurt", title=HOSTILE, collection=shelf)
    a_pin(HOSTILE, [HOSTILE[:200]], [HOSTILE], state="draft", framing=HOSTILE)
    a_note(HOSTILE[:200], [HOSTILE[:200]], state="draft", body=HOSTILE, triggers=[HOSTILE[:200]])
    GlossaryEntry.objects.create(term=HOSTILE[:100], synonyms=HOSTILE)
    sides = [a_fact(HOSTILE, f"hostile:{n}", HOSTILE, subject=HOSTILE[:200], predicate=HOSTILE[:200]) for n in (1, 2)]
    a_contradiction(*sides, note=HOSTILE)
    Import.objects.create(
        collection=shelf, state="previewed", problem=HOSTILE, files=[[HOSTILE, 9]],
        outcomes=[[HOSTILE, "refused", 0, HOSTILE, HOSTILE, HOSTILE], [HOSTILE, "new", 1, HOSTILE, HOSTILE, HOSTILE]],
    )  # fmt: skip
    return [reverse("lecture", args=[source.pk]) for source in (lecture, timed)] + [
        reverse("work", args=[work.pk]), f"{reverse('work', args=[work.pk])}?at=%3Cscript%3Ehurt()%3C/script%3E",
    ]  # fmt: skip


def ask_as(boss):
    """Store a turn whose every word is hostile, with its audit and its gap; return the pages that show it again."""
    thread = Conversation.objects.create(owner=boss, title=HOSTILE[:200])
    places = dict.fromkeys(("address", "title", "speaker", "date", "place", "quote"), HOSTILE)
    cited = {"n": 1, "kind": "lecture", "url": "javascript:hurt()", "verdict": "supported", "language": "en", **places}
    told = dict.fromkeys(("message", "answer", "searched", "next_step"), HOSTILE)
    response = {
        **told,
        "outcome": "refused",
        "reason": "thin_evidence",
        "nearest": [cited],
        "citations": [],
        "sentences": [],
        "warnings": [{"type": "DEGRADED", "message": HOSTILE, "details": {"x": HOSTILE}}],
        "withheld": [{"reason": "unsupported_claims", "verdict": "unsupported", "text": HOSTILE}],
    }
    asked = {"question": HOSTILE, "outcome": "refused", "reason": "thin_evidence"}
    turn = Turn.objects.create(
        conversation=thread, standalone_question=HOSTILE, answer=HOSTILE, response=response,
        finished_at=timezone.now(), **asked,
    )  # fmt: skip
    written = {"sentences": [{"text": HOSTILE, "withheld": "uncited", "verdict": HOSTILE}], "fault": HOSTILE}
    audit = TurnAudit.objects.create(
        conversation_id=thread.pk,
        turn=turn,
        mode="auto",
        confidence=0.0,
        trace={"writing": [written], "withheld": [{"reason": HOSTILE}], HOSTILE: HOSTILE},
        **asked,
    )
    Feedback.objects.create(
        conversation_id=thread.pk, turn=turn, citation=1, sentence=1, kind="not_said", outcome="grounded",
        clip={**cited, "start": 1.0, "end": 2.0}, given_at=timezone.now(), review_note=HOSTILE,
        **dict.fromkeys(("note", "question", "answer", "claim"), HOSTILE),
    )  # fmt: skip
    gap = Gap("refused", HOSTILE, "thin_evidence", HOSTILE, (HOSTILE,))
    with transaction.atomic():
        asked_before = gap_join(gap=gap, conversation_id=thread.pk, turn_id=uuid4())
    after = {"outcome": HOSTILE, "answer": HOSTILE, "cited": [], "cites_pin": False, "answered": False}
    cluster = GapCluster.objects.create(state="dismissed", dismissed_because=HOSTILE)
    KnowledgeGap.objects.filter(pk=asked_before.pk).update(cluster=cluster, after=after)
    RegressionCase.objects.create(
        key="hostile", question=HOSTILE, references=[HOSTILE], outcome="refused", passed=False
    )
    token, _ = link_make(viewer=viewer_of(boss, None), conversation_id=thread.pk)
    return [reverse("conversation", args=[thread.pk]), reverse("shared", args=[token]), *audited(audit, response)]


def audited(audit, response):
    """Replay and review the hostile turn, raise an alert and judge a pair; return the pages of the audit."""
    replay = Replay.objects.create(
        conversation_id=audit.conversation_id, audit=audit, mode="auto", state="done", model=HOSTILE[:300],
        job="synthesize", response=response, trace=audit.trace, fault=HOSTILE[:300],
    )  # fmt: skip
    item = ReviewItem.objects.create(conversation_id=audit.conversation_id, audit=audit, source="hand", mode="auto",
                                     risk="none", outcome="refused", language=HOSTILE[:12])  # fmt: skip
    ReviewedCase.objects.create(item=item, question=HOSTILE, kind="wrong", state="proposed", note=HOSTILE)
    GuardAlert.objects.create(rule="above", metric="x", period=timezone.now(), text=HOSTILE)
    pair = {"question": HOSTILE, "a": HOSTILE, "b": HOSTILE, "winners": {HOSTILE: HOSTILE}}
    run = JudgeRun.objects.create(
        side_a=HOSTILE[:300], side_b=HOSTILE[:300], judge=HOSTILE[:300], question_set=HOSTILE[:100],
        corpus=HOSTILE[:200],
        criteria={HOSTILE: {"a": 1, "b": 0, "ties": 0}}, pairs=[pair], stopped=HOSTILE,
        quality=dict.fromkeys(("by_place", "noise", "first", "unjudged"), (0, 0)),
    )  # fmt: skip
    return [reverse("audit_turn", args=[audit.pk]), reverse("audit_replay", args=[replay.pk]), reverse("audit_alerts"),
            reverse("audit_review_item", args=[item.pk]), reverse("audit_review_results"), reverse("audit_judge"),
            reverse("audit_judge_run", args=[run.pk])]  # fmt: skip


def admin_pages():
    """Yield the list of everything in admin, and the page of a hostile row where there is one."""
    yield reverse("admin:index")
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{name}_changelist")
        ends = [row for row in (model._default_manager.first(), model._default_manager.last()) if row]
        for row in [row for row in ends if "window.hurt" in str(vars(row))][:1] or ends[:1]:
            yield reverse(f"{name}_change", args=[row.pk])


boss, _ = User.objects.get_or_create(username="boss", defaults={"is_staff": True, "is_superuser": True})
boss.set_password(PASSWORD)
boss.save()
typed = quote(HOSTILE, safe="")
finding = [f"{reverse('search')}?q={typed}", f"{reverse('search')}?q=x&scope=work:{typed[:150]}",
           f"{reverse('search')}?q=window.hurt", reverse("lectures"), f"{reverse('lectures')}?q={typed}",
           f"{reverse('chat')}?question={typed}"]  # fmt: skip
pages = [*fill(), *ask_as(boss), reverse("audit_report"), *finding, *dict.fromkeys(admin_pages())]
print(json.dumps(pages))
