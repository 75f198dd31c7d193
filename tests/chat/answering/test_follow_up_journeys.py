"""Conversations over two sample lectures and the sample verses, by stand-in models: what each follow-up is served."""

from dataclasses import asdict, replace

import pytest
from django.conf import settings as site
from django.core.management import call_command
from django.utils import timezone

from chat.answering.answer_stream import make_citation
from chat.answering.ask import ask, operator
from chat.answering.domain.evidence.continuation import ContinuationRules
from chat.answering.domain.question import CitedPlace, Question, ThreadPlace
from chat.answering.stages.read_on import read_beside, read_on
from chat.conversations.services import turn_start
from chat.models import Turn
from corpus.models import Chunk, Collection, EmbeddingSpace
from corpus.selectors import passages
from lectorium.threads import in_thread
from tests.chat.turns import run_recorded

pytestmark = pytest.mark.django_db(transaction=True)

ANNOUNCER = ("Who was the announcer?", "the announcer was a man named Mister Basavaraj. His window faced a brick wall.")
SECRET = ("What was the announcer's secret?", "I never add anything, and I never leave out the delay.")
KILN = ("How many pots were cracked?", "and one hundred and twelve of the two hundred were cracked.")
POTTER = ("Who was the potter?", "Her name was Gowramma, and she worked by the tank at Channapatna Road")
RIGHT = ("What is adhikāra?", "Adhikāra means the ground on which you are entitled to stand,")
SACRIFICE = ("What is yajña?", "Yajña means an act whose result is given away before it arrives.")
CHOICE = ("Whom did Arjuna choose?", "Arjuna chose Kṛṣṇa unarmed")
SITS = ("What does Arjuna do in the end?", "and sits down on the seat of his chariot, his mind overwhelmed by grief.")
TASK = ("What is the exercise?", "choose one dull task that you do every day, such as washing the steel plates")
WAGE = ("May I ask for a fair wage?", "A wage that has been agreed is part of the work,")
VERSE = ("What does BG 2.47 say?", "The work is yours by right, but never its fruits.")
VERSE_END = "Do not let the fruits of work be the reason you act, and do not grow fond of doing nothing."

UNSURE = {"weights": {"closeness": 20.0}, "bias": -9.0, "answer_from": 1.1, "outside_below": 0.0, "closest_from": 0.0}


@pytest.fixture
def samples(transactional_db, tmp_path, settings, filled_once):
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.CALIBRATIONS_DIR = settings.BASE_DIR / "tests" / "calibrations"
    filled_once("follow-up journeys", import_and_index)
    Collection.objects.update(changed_at=timezone.now())  # look-ups are cached by these times


def import_and_index():
    for name in ("01-two-armies-one-question.vtt", "03-work-without-a-claim.vtt"):
        call_command("import_lectures", str(site.SAMPLES_DIR / "lectures" / name), verbosity=0)
    call_command("import_works", str(site.SAMPLES_DIR / "works"), verbosity=0)
    call_command("index", verbosity=0)


def reader():
    return replace(operator(), visitor="someone")


def place_of(words):
    """Return the passage that holds the words, across line breaks, and their span in it."""
    for passage in passages(list(Chunk.objects.order_by("kind", "ordinal").values_list("pk", flat=True))):
        flat = passage.text.replace("\n", " ")
        if words in flat:
            return passage, (flat.index(words), flat.index(words) + len(words))
    raise AssertionError(f"no passage holds {words!r}")


def answered(question, words):
    """Store a conversation whose first question was answered with these words; return its id."""
    turn, _ = turn_start(question=Question(question, reader()), conversation_id=None)
    passage, span = place_of(words)
    cited = make_citation(passage, span, n=1, verdict="supported")
    response = {
        "question": question,
        "standalone_question": question,
        "answer": f"{cited.quote} [1]",
        "outcome": "grounded",
        "sentences": [{"text": cited.quote, "citations": [1]}],
        "citations": [cited.public()],
        "references": [{**asdict(cited.reference), "chunk": str(cited.chunk_id)}],
    }
    Turn.objects.filter(pk=turn.pk).update(outcome="grounded", answer=response["answer"], response=response)
    return turn.conversation_id


async def follow(first, *questions):
    """Return the ended turn of each follow-up in a conversation whose first answer is given."""
    conversation, viewer = await in_thread(answered, *first), await in_thread(reader)
    return [(await run_recorded(question, viewer, conversation=conversation))[0] for question in questions]


def shown(ended):
    return " ".join(sentence.text for sentence in ended.sentences).replace("\n", " ")


@pytest.mark.parametrize(
    ("first", "follow_up", "begins", "holds"),
    [
        (ANNOUNCER, "Tell me more.", "For thirty-one years he announced trains", "no one ever missed a train"),
        (SECRET, "and then?", "That is Sañjaya's virtue too.", "does not leave out the bad news."),
        (KILN, "What happened next?", "I was ready to cry.", "the sand was too coarse."),
        (POTTER, "go on", "She fired her kiln once a month,", "two hundred were cracked."),
        (RIGHT, "more please", "The potter may decide", "She may not decide the weather in the kiln."),
        (SACRIFICE, "Can you elaborate on that?", "When you cook for a guest,", "eat nothing but wrong."),
        (CHOICE, "What happens after that?", "Just before the fighting,", "Kṛṣṇa does exactly what he asked."),
        (SITS, "Continue", "That is the end of chapter one.", "I find that very encouraging."),
        (VERSE, "And the next verse?", "Do not let the fruits of work be the reason", "fond of doing nothing."),
    ],
)
async def test_who_asks_for_more_is_read_what_comes_next(samples, first, follow_up, begins, holds):
    [ended] = await follow(first, follow_up)
    assert ended.outcome == Turn.Outcome.GROUNDED
    assert shown(ended).startswith(begins)
    assert holds in shown(ended)
    assert ended.plan.standalone == f"What comes next after the answer to “{first[0]}”"


async def test_reading_on_goes_through_a_lecture_without_a_gap_until_it_ends(samples):
    ended_turns = await follow(TASK, *["go on"] * 4)
    told = [shown(ended) for ended in ended_turns if ended.sentences]
    assert told[0].startswith(", such as") or "Do it as well as it has ever been done" in told[0]
    assert " ".join(told).endswith("Thank you.")
    assert len(set(told)) == len(told)
    assert ended_turns[-1].outcome == Turn.Outcome.NO_RETRIEVAL
    assert ended_turns[-1].message == "That is where this part of the lecture ends."


async def test_verses_are_read_on_one_by_one(samples):
    first, second = await follow(("BG 2.47", VERSE_END), "and the next verse?", "go on")
    assert [cited.address for cited in first.citations] == ["BG 2.48"]
    assert [cited.address for cited in second.citations] == ["BG 2.50"]


@pytest.mark.parametrize(
    ("first", "follow_up", "standalone", "holds"),
    [
        (ANNOUNCER, "Who was he?", "Who was Mister Basavaraj?", "Mister Basavaraj"),
        (ANNOUNCER, "How long did he announce trains?", "How long did Mister Basavaraj announce trains?", "thirty-one"),
        (POTTER, "What did she say of the sand?", "What did Gowramma say of the sand?", ""),
        (SACRIFICE, "Give me an example.", "What is an example of yajña?", "the example of King Janaka"),
        (RIGHT, "What about yajña?", "What is yajña?", "Yajña means an act"),
        (WAGE, "Why?", "May I ask for a fair wage, and why?", "wage"),
        (
            CHOICE,
            "And what did Duryodhana get?",
            "And what did Duryodhana get?",
            "Duryodhana was delighted to get the army.",
        ),
    ],
)
async def test_a_follow_up_is_answered_where_the_thread_stands(samples, first, follow_up, standalone, holds):
    [ended] = await follow(first, follow_up)
    assert ended.plan.standalone == standalone
    assert holds in shown(ended)


async def test_what_comes_next_is_among_the_closest_passages_of_a_follow_up(samples):
    await in_thread(EmbeddingSpace.objects.update, calibration=UNSURE)
    [ended] = await follow(ANNOUNCER, "Was that of any use to the village?")
    assert ended.outcome == Turn.Outcome.CLOSEST_PASSAGE
    assert "For thirty-one years he announced trains" in shown(ended)


def test_they_begin_behind_the_sentence_that_answered_though_more_was_quoted(samples):
    passage, span = place_of(ANNOUNCER[1])
    quote = passage.text[slice(*span)]
    place = ThreadPlace((CitedPlace(passage.chunk_id, span, quote, quote.split(". ")[0] + "."),))
    beside = read_beside(place, reader(), ContinuationRules(), ())
    assert beside.quotes[0].sentences[0].text == "His window faced a brick wall."
    assert read_on(place, reader(), ContinuationRules()).quotes[0].sentences[0].text.startswith("For thirty-one years")


async def test_earlier_questions_are_asked_as_turns_of_one_conversation(samples):
    asked = await ask("Tell me more.", mode="instant", asked_before=("What is yajña?",))
    assert asked["standalone_question"] == "What comes next after the answer to “What is yajña?”"
    assert asked["outcome"] == Turn.Outcome.GROUNDED


async def test_a_change_of_topic_is_answered_where_its_topic_stands(samples):
    [ended] = await follow(POTTER, "What does Kṛṣṇa say of King Janaka and his throne?")
    assert ended.plan.standalone == "What does Kṛṣṇa say of King Janaka and his throne?"
    assert "neighbourhood" not in ended.trace["lanes"]
    assert "King Janaka" in shown(ended)


async def test_where_nothing_was_quoted_there_is_nothing_to_go_on_with(samples):
    viewer = await in_thread(reader)
    hello, _ = await run_recorded("Hello!", viewer)
    more, _ = await run_recorded("Tell me more.", viewer, conversation=hello.conversation_id)
    assert more.outcome == Turn.Outcome.ASKED_BACK


async def test_what_the_reader_may_not_see_any_more_is_not_read_on_from(samples):
    conversation, viewer = await in_thread(answered, *ANNOUNCER), await in_thread(reader)
    kept = await in_thread(list, Collection.objects.filter(key="gita").values_list("pk", flat=True))
    blind = replace(viewer, collections=tuple(kept), sees_all=False)
    ended, _ = await run_recorded("Tell me more.", blind, conversation=conversation)
    assert "announced trains" not in shown(ended)
    assert not ended.plan.place


async def test_the_place_of_a_thread_that_a_client_sent_is_recalled(samples):
    sent = (("user", ANNOUNCER[0]), ("assistant", f"I grew up near a station, {ANNOUNCER[1]} [1]"))
    response = await ask("Tell me more.", mode="instant", history=sent)
    assert response["sentences"][0]["text"].startswith("For thirty-one years he announced trains")
