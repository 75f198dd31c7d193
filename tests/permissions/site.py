"""The site that permissions are tried on: seven roles, and objects that each carry a word found nowhere else."""

from dataclasses import dataclass
from datetime import timedelta

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.auth.models import AnonymousUser, Group, User
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django_q.models import Failure, OrmQ, Success

from accounts.models import Invitation
from articles.models import Article
from audit import models as audit
from audit.turn_reviews.queue import items_add
from chat.api.models import ToolCall
from chat.api.services import token_create
from chat.conversations.sharing import link_make
from chat.conversations.viewers import viewer_of
from chat.models import Conversation, Turn
from corpus import models as corpus
from corpus.domain.addresses.address import address_key
from corpus.services import source_withdraw
from curation import models as curation
from curation.translations.sources import source_hash
from lectorium.ladder import models as ladder
from tests.articles.compilers import published as published_article
from tests.factories import a_collection, a_lecture, a_note, a_pin, a_work

ROLES = ("anonymous", "reader", "other reader", "editor", "reviewer", "auditor", "superuser")
MEMBERS = Group(pk=9001, name="gardeners")  # who may see the group's collection: of the roles only "reader"

# A word for each object, in its title and its text, that stands nowhere else.
GROUPS_LECTURE = "quorvine"
MEMBERS_LECTURE = "dovrenik"
WITHDRAWN_LECTURE = "zelmarthic"
GROUPS_WORK = "ostrelune"
GROUPS_PIN = "harvossel"
DRAFT_PIN = "ulmenquist"
GROUPS_NOTE = "brixolane"
DRAFT_NOTE = "tarvindle"
GROUPS_FACT = "yestromal"
GROUPS_ARTICLE = "plovandic"
DRAFT_ARTICLE = "skelwright"
TRANSLATION = "fenquorra"
READERS_QUESTION = "mirrowain"
VISITORS_QUESTION = "gelvistor"

GARDEN = f"{GROUPS_LECTURE}-garden"  # the key of the group's lecture, which is a part of its addresses
HIDDEN_QUESTION = "Where did the gardener bury the silver compass?"
PINNED_QUESTION = "How old is the silver gardener?"
OPEN_QUESTION = "Who refused to bow to the newly made man?"
BURIED = f"The gardener buried a silver compass under the seventh {GROUPS_LECTURE} tree."
ACCESS = ("read", "draft", "publish")
RECORDING = "recording.mp3"
PASSWORD, NEW_ADDRESS = "pass", "stranger@site.test"
FRAMING = "https://frames.example.org"  # the site that may show the question box


@dataclass(frozen=True)
class SitePerson:
    """A role as it comes to the site: its browser, its session and the secrets of its tokens by access."""

    role: str
    user: User | None
    client: Client
    session: SessionStore
    tokens: dict[str, str]

    @property
    def secret(self):
        return self.tokens.get("read")


def write_site():
    """Fill the tables by the product's own services. Called once; later tests copy the rows."""
    people = _accounts()
    sources = _sources()
    call_command("index", verbosity=0)
    _curated(sources)
    _articles(people)
    _asked(people)
    _operated(people)
    corpus.Lecture.objects.update(media=RECORDING)
    call_command("index", verbosity=0)
    source_withdraw(source=sources["withdrawn"])


def _accounts():
    people = {}
    for role in ROLES[1:]:
        name = role.replace(" ", "-")
        is_staff = "reader" not in role
        people[role] = User.objects.create_user(
            name, f"{name}@site.test", PASSWORD, is_staff=is_staff, is_superuser=role == "superuser"
        )
        if role != "superuser":
            people[role].groups.add(Group.objects.get(name="reader" if "reader" in role else role))
    people["reader"].groups.add(MEMBERS)
    return people


def _sources():
    group, members = a_collection("garden", "restricted"), a_collection("hall", "members")
    group.groups.add(MEMBERS)
    open_to_all = a_lecture(
        "When the first man was made, every angel bowed to him.", "Only Iblis refused to bow to the newly made man.",
        "The banyan tree sometimes lives for five thousand years.", key="first-steps", title="The First Steps",
        series="Beginnings",
    )  # fmt: skip
    groups = a_lecture(
        BURIED, f"The silver gardener was ninety years old when he planted the {GROUPS_LECTURE}.", key=GARDEN,
        title=f"The {GROUPS_LECTURE.title()} Garden", collection=group, series=f"Walks {GROUPS_LECTURE}",
    )  # fmt: skip
    a_lecture(f"The {MEMBERS_LECTURE} choir sang at dusk.", key="hall", title=f"The {MEMBERS_LECTURE.title()} Hall",
              collection=members)  # fmt: skip
    withdrawn = a_lecture(f"A {WITHDRAWN_LECTURE} lamp burned all night.", key="lamp",
                          title=f"The {WITHDRAWN_LECTURE.title()} Lamp")  # fmt: skip
    a_work({"BG 2.47": "The work is yours by right, but never its fruits."}, key="gita", title="Gita")
    a_work({"Orchard 1.1": f"The {GROUPS_WORK} apple falls at noon."}, key="orchard",
           title=f"The {GROUPS_WORK.title()} Orchard", collection=group)  # fmt: skip
    return {"open": open_to_all, "group's": groups, "withdrawn": withdrawn}


def _curated(sources):
    group = sources["group's"].collection
    a_pin(PINNED_QUESTION, [f"{GARDEN}:2"], [f"What age had the {GROUPS_PIN} man?"], framing=f"A {GROUPS_PIN} word.",
          collection=group)  # fmt: skip
    a_pin(f"What is the {DRAFT_PIN} tree?", ["first-steps:3"], framing=f"The {DRAFT_PIN} word.", state="draft")
    a_pin("How long does the banyan live?", ["first-steps:3"])
    a_note(f"The {GROUPS_NOTE} compass", [f"{GARDEN}:1"], body=f"It was {GROUPS_NOTE}.", triggers=["compass"])
    a_note(f"The {DRAFT_NOTE} angel", ["first-steps:1"], body=f"It was {DRAFT_NOTE}.", triggers=["angel"],
           state="draft")  # fmt: skip
    a_note("Banyans", ["first-steps:3"], body="A banyan is a fig.", triggers=["banyan"])
    fact = {"predicate": "lies", "object": "buried", "address": f"{GARDEN}:1", "evidence": BURIED,
            "address_key": address_key(f"{GARDEN}:1")}  # fmt: skip
    one, other = (
        curation.Fact.objects.create(subject="the compass", content=f"The {GROUPS_FACT} compass {is_so}.", **fact)
        for is_so in ("is silver", "is not silver")
    )
    curation.Contradiction.objects.create(one=one, other=other, note=f"On the {GROUPS_FACT}")
    scan = curation.FactScan.objects.create()
    curation.FactChange.objects.create(
        scan=scan, verdict="contradiction", fact=one, by=other, signals={}, because="x", judge="j"
    )
    curation.FactCheck.objects.create(
        fact=one, subject_key="compass", content=one.content, evidence=BURIED, address=f"{GARDEN}:1",
        verdict="supported", confidence=1.0,
    )  # fmt: skip
    curation.SubjectReview.objects.create(subject="the compass", subject_key="compass")
    title = sources["group's"].title
    curation.Translation.objects.create(
        part="lecture_title", owner=sources["group's"].pk, locale="de", language="en", source=title,
        source_hash=source_hash(title), translated_source=title, text=f"Der {TRANSLATION} Garten", origin="reviewed",
        state="reviewed", is_published=True,
    )  # fmt: skip


def _articles(people):
    published_article("silver compass", by=people["superuser"], title=f"On {GROUPS_ARTICLE} compasses")
    Article.objects.create(
        topic=f"{DRAFT_ARTICLE} trees", title=f"On {DRAFT_ARTICLE} trees", compiled_for=people["reviewer"]
    )


def _asked(people):
    """Reader and visitor ask: of what the group has, of what everybody has, and of what nobody has."""
    secret = token_create(owner=people["reader"], name="the reader's program")[1]
    for question in (HIDDEN_QUESTION, f"Did the {READERS_QUESTION} man discover penicillin in London?"):
        asked_by_program(Client(), secret, question)
    turn = Turn.objects.get(question=HIDDEN_QUESTION)
    Turn.objects.filter(pk=turn.pk).update(suggestions=[f"Which {GROUPS_LECTURE} tree was the first?"])
    Conversation.objects.filter(pk=turn.conversation_id).update(title=f"A {READERS_QUESTION} thread")
    Conversation.objects.create(owner=people["reader"], title=f"{READERS_QUESTION}, deleted", deleted_at=timezone.now())
    thread = Conversation.objects.create(visitor="visitor", title=f"A {VISITORS_QUESTION} thread")
    Turn.objects.create(conversation=thread, question=f"Who is {VISITORS_QUESTION}?", outcome="refused",
                        finished_at=timezone.now())  # fmt: skip


def asked_by_program(client, secret, question, **more):
    """What the API answers to a question, asked as the holder of this token."""
    body = {"question": question, "mode": "instant", **more}
    return client.post("/api/v1/ask", body, "application/json", headers={"authorization": f"Bearer {secret}"})


def _operated(people):
    """A row of every other model, so that every page has something to show."""
    now, today = timezone.now(), timezone.localdate()
    record = audit.TurnAudit.objects.get(question=HIDDEN_QUESTION)
    turn = Turn.objects.get(pk=record.turn_id)
    items_add([record.pk], "hand")
    audit.Feedback.objects.create(
        conversation_id=turn.conversation_id, turn_id=turn.pk, asker="x", kind="not_helpful", outcome="grounded",
        question=turn.question, given_at=now,
    )  # fmt: skip
    audit.Replay.objects.create(conversation_id=record.conversation_id, audit=record, mode="instant")
    audit.RegressionCase.objects.create(key="banyan", question="How long does the banyan live?")
    audit.DeletedTurns.objects.create(day=today, mode="auto", outcome="refused", turns=1)
    audit.GuardAlert.objects.create(rule="above", metric="guard1_block_rate", period=today, text="High.")
    audit.AlertMute.objects.create(rule="above", metric="guard1_block_rate", reason="Known.", until=now)
    gap = audit.KnowledgeGap.objects.exclude(question="").first()
    gap.cluster = audit.GapCluster.objects.create()
    gap.save()
    quality = {name: [0, 1] for name in ("by_place", "noise", "first", "unjudged")}
    audit.JudgeRun.objects.create(
        side_a="a", side_b="b", judge="j", question_set="s", corpus="c", criteria={}, quality=quality
    )
    audit.EvaluationRun.objects.create(suite="natural", corpus="c", started_at=now)
    corpus.Import.objects.create(collection=corpus.Collection.objects.get(key="garden"), by=people["reviewer"])
    corpus.Transcription.objects.create(
        lecture=corpus.Lecture.objects.get(key="first-steps"), state="review", lines=[[0.0, 1.0, "Drafted."]]
    )
    ToolCall.objects.create(user=people["reader"], transport="http", tool="search", outcome="done", milliseconds=1)
    ladder.Rung.objects.create(job="synthesize", model="scripted:none", enabled=False)
    ladder.PromptText.objects.create(name="answer", version="1", author="x")
    ladder.Budget.objects.create()
    ladder.Usage.objects.create(day=today, job="synthesize", model="m")
    ladder.JudgeBar.objects.create(model="m", prompt_version="1", verified_false_share=0.0, claim_set="c")
    came = {"user_agent": "x", "http_accept": "x", "path_info": "/login/"}
    AccessAttempt.objects.create(**came, username="x", get_data="", post_data="", failures_since_start=1)
    AccessLog.objects.create(**came, username="x")
    AccessFailureLog.objects.create(**came, username="x")
    for kind, key in ((Success, "1" * 32), (Failure, "2" * 32)):
        kind.objects.create(id=key, name="job", func="x", started=now, stopped=now, success=kind is Success)
    OrmQ.objects.create(key="lectorium", payload="x")
    Invitation.objects.create(email=NEW_ADDRESS, made_by=people["superuser"], expires_at=now + timedelta(days=14))


def people_of_the_site():
    """Everyone at the door, signed in, with a token of each access. The visitor's session owns a conversation."""
    return {role: _person(role) for role in ROLES}


def _person(role):
    client = Client(raise_request_exception=False)
    if role == "anonymous":
        client.get("/")
        session = SessionStore(client.cookies["sessionid"].value)
        visitor = viewer_of(AnonymousUser(), session.session_key).visitor
        Conversation.objects.filter(visitor="visitor").update(visitor=visitor)
        return SitePerson(role, None, client, session, {})
    user = User.objects.get(username=role.replace(" ", "-"))
    client.force_login(user)
    tokens = {
        access: token_create(owner=user, name=access, access=access)[1] for access in ("read", "draft", "publish")
    }
    return SitePerson(role, user, client, SessionStore(client.cookies["sessionid"].value), tokens)


def shared_token(person):
    """The token of a link to the reader's answer about the group's lecture."""
    turn = Turn.objects.get(question=HIDDEN_QUESTION)
    return link_make(viewer=viewer_of(person.user, None), conversation_id=turn.conversation_id)[0]
