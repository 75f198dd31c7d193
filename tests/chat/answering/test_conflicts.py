"""Where sources disagree a reader is shown both sides, in every mode and place; and never what they may not see."""

import asyncio
import json

import pytest
from django.core.management import call_command

from audit.models import TurnAudit
from chat.answering.ask import ask, operator
from chat.answering.domain.events import SentenceShown
from chat.answering.domain.question import HistoryMessage
from chat.answering.domain.refusals import DISPUTED
from chat.answering.domain.viewer import Viewer
from chat.answering.domain.writing_rules import WritingRules
from chat.answering.stages.write import answer_slots
from chat.models import Turn
from corpus.models import Collection, EmbeddingSpace
from curation.models import Fact
from curation.services import contradiction_resolve
from lectorium.providers import registry
from lectorium.providers.stand_ins.scripted import Reply
from lectorium.threads import in_thread
from tests.chat.answering.test_closest_passage import GATE
from tests.chat.authors import give, speaking
from tests.chat.turns import run_recorded
from tests.curation.fact_rows import a_contradiction, a_fact

pytestmark = pytest.mark.django_db(transaction=True)

ASKED = "How long does the banyan tree sometimes live?"
LONG = "The banyan tree sometimes lives for five thousand years."
SHORT = "No fig of any sort outlasts three centuries."
OTHER = f"# A Ranger Remembers\n\nThe wind was cold that spring. {SHORT} We went home by the river."
WRITTEN = "The banyan tree sometimes lives for five thousand years [^1]."


def store_ranger(folder, collection):
    (folder / "ranger.md").write_text(OTHER, encoding="utf-8")
    call_command("import_lectures", str(folder / "ranger.md"), collection=collection, verbosity=0)
    call_command("index", verbosity=0)
    one = a_fact("A banyan lives for five thousand years.", "first-steps:2", LONG)
    other = a_fact("A banyan lives for three hundred years at most.", "ranger:1", SHORT)
    return a_contradiction(one, other, note="A figure of speech, or a measurement.")


@pytest.fixture
def conflict(corpus, tmp_path):
    return store_ranger(tmp_path, "library")


def everyone():
    return Viewer(collections=tuple(Collection.objects.filter(visibility="public").values_list("pk", flat=True)))


def shows_both(response):
    """Check that both sides are cited and marked, and that the warning names their citations."""
    (warning,) = [warning for warning in response["warnings"] if warning["type"] == "CONFLICTING_SOURCES"]
    quotes = {cited["n"]: cited["quote"] for cited in response["citations"]}
    long, short = warning["details"]["citations"]
    assert any(LONG in quotes[n] for n in long)
    assert any(SHORT in quotes[n] for n in short)
    marked = {n for sentence in response["sentences"] if sentence["conflicting"] for n in sentence["citations"]}
    assert marked >= {*long, *short}
    assert warning["details"]["subject"] == "the banyan"
    assert "(conflicting sources)" in response["answer"]
    return True


async def test_a_quotation_of_one_side_ends_with_the_other(conflict):
    response = await ask(ASKED, mode="instant")
    assert shows_both(response)
    last = response["sentences"][-1]
    assert (last["text"], last["quoted"], last["verdict"]) == (SHORT, True, "supported")
    assert response["outcome"] == "grounded"
    assert response["validation"]["sources_verified"] == response["validation"]["sources_total"]


async def test_a_side_that_was_not_found_is_fetched(conflict):
    verse = await in_thread(a_fact, "Work is a right.", "BG 2.47", "The work is yours by right")
    await in_thread(lambda: a_contradiction(verse, Fact.objects.get(address="ranger:1")))
    response = await ask("BG 2.47", mode="instant")
    assert [sentence["conflicting"] for sentence in response["sentences"]] == [True, True]
    assert [cited["quote"] for cited in response["citations"]][-1] == SHORT


@pytest.mark.parametrize("mode", ["auto", "thinking"])
async def test_a_written_answer_that_leaves_the_other_side_out_gets_it_quoted(conflict, mode):
    await give("synthesize")
    with speaking("synthesize", *[Reply.of(WRITTEN)] * 3) as model:
        response = await ask(ASKED, mode=mode)
    assert shows_both(response)
    assert [sentence["quoted"] for sentence in response["sentences"]][-1]
    prompt = " ".join(message.text for message in model.asked[0])
    assert "Sources disagree: A banyan lives for five thousand years. / A banyan lives for three hundred" in prompt
    assert SHORT in prompt


async def test_a_model_can_cite_both_sides_itself(conflict):
    await give("synthesize")
    with speaking("synthesize", "x") as model:
        await ask(ASKED)
        notes = " ".join(message.text for message in model.asked[0])
    number = notes[: notes.index(SHORT)].rpartition("[^")[2].partition("]")[0]
    with speaking("synthesize", f"{WRITTEN} {SHORT[:-1]} [^{number}]."):
        response = await ask(ASKED)
    assert shows_both(response)
    assert len(response["sentences"]) == 2


async def test_a_sentence_beside_the_evidence_is_not_in_conflict(conflict):
    response = await ask("Who refused to bow to the newly made man?", mode="instant")
    assert [sentence["conflicting"] for sentence in response["sentences"] if "Iblis" in sentence["text"]] == [False]


async def test_a_side_the_reader_may_not_see_is_not_mentioned_at_all(corpus, tmp_path):
    await in_thread(store_ranger, tmp_path, "garden")
    viewer = await in_thread(everyone)
    await give("synthesize")
    with speaking("synthesize", WRITTEN) as model:
        written, _ = await run_recorded(ASKED, viewer, mode="auto")
    quoted, _ = await run_recorded(ASKED, viewer, mode="instant")
    for ended in (written, quoted):
        told = json.dumps([ended.response(), ended.trace, ended.background], default=str)
        assert ended.sentences
        assert "disagree" not in told
        assert "three hundred" not in told
        assert SHORT not in told
        assert not any(sentence.conflicting for sentence in ended.sentences)
    assert "three hundred" not in " ".join(message.text for message in model.asked[0])
    assert shows_both((await run_recorded(ASKED, await in_thread(operator), mode="instant"))[0].response())


def test_an_earlier_answer_is_shown_to_a_model_without_the_marks_of_the_page():
    said = HistoryMessage("assistant", "The banyan lives long. [1] [2] (conflicting sources) It is a tree. [3]")
    (shown,) = answer_slots("And why?", (), (said,), WritingRules())["conversation"]
    assert shown.text == "The banyan lives long. It is a tree."


async def test_settled_or_disarmed_there_is_no_conflict(conflict, tmp_path):
    async def disagrees():
        response = await ask(ASKED, mode="instant")
        return any(sentence["conflicting"] for sentence in response["sentences"]) or bool(response["warnings"])

    assert await disagrees()
    path = tmp_path / "ranger.md"
    path.write_text(OTHER.replace("three", "four"), encoding="utf-8")
    await in_thread(call_command, "import_lectures", str(path), collection="library", verbosity=0)
    assert not await disagrees()
    path.write_text(OTHER, encoding="utf-8")
    await in_thread(call_command, "import_lectures", str(path), collection="library", verbosity=0)
    assert await disagrees()
    await in_thread(lambda: contradiction_resolve(contradiction=conflict, decision="in_context"))
    assert not await disagrees()


async def test_undisputed_facts_guide_the_model_the_surest_five(corpus):
    for number in range(7):
        await in_thread(a_fact, f"Fact {number}.", "first-steps:2", LONG, confidence=number / 10)
    await give("synthesize")
    with speaking("synthesize", WRITTEN) as model:
        await ask(ASKED)
    prompt = " ".join(message.text for message in model.asked[0])
    assert [number for number in range(7) if f"Fact {number}." in prompt] == [2, 3, 4, 5, 6]


async def test_the_audit_says_which_facts_and_conflicts_took_part(conflict):
    ended, _ = await run_recorded(ASKED, await in_thread(operator))
    trace = (await in_thread(TurnAudit.objects.get, turn_id=ended.turn_id)).trace
    told = {fact["content"]: fact["address"] for fact in trace["facts"]}
    assert told["A banyan lives for five thousand years."] == "first-steps:2"
    (stored,) = trace["conflicts"]
    assert stored["contradiction"] == str(conflict.pk)
    assert {side["address"] for side in stored["sides"]} == {"first-steps:2", "ranger:1"}


def test_the_same_conflict_is_replayed_from_the_cache_until_it_is_settled(conflict):
    def asked():
        return asyncio.run(run_recorded(ASKED, operator(), mode="instant"))

    first, events = asked()
    again, repeated = asked()
    assert "cached" in again.trace
    assert shows_both(again.response())
    assert again.response()["warnings"] == first.response()["warnings"]
    ours = [[event.conflicting for event in said if isinstance(event, SentenceShown)] for said in (events, repeated)]
    assert ours[0] == ours[1]
    assert Turn.objects.get(pk=again.turn_id).response["sentences"][-1]["conflicting"]
    side = "first" if conflict.one.address == "first-steps:2" else "second"
    contradiction_resolve(contradiction=conflict, decision=side)
    settled, _ = asked()
    assert "cached" not in settled.trace
    assert not any(sentence.conflicting for sentence in settled.sentences)


def test_plain_ask_says_that_sources_disagree(conflict, capsys):
    call_command("ask", ASKED, mode="instant")
    printed = capsys.readouterr().out
    assert "(conflicting sources)" in printed
    assert "warning: The sources disagree about the banyan: see [" in printed


BRIDGE = "When was the bridge at Marle finished?"
EARLY = "The bridge at Marle was finished in 1871."
LATE = "The bridge at Marle was not finished before 1874."


@pytest.fixture
def bridges(corpus, tmp_path):
    """Two lectures that say opposite things, which no editor recorded."""
    for name, text in (("masons", EARLY), ("ferrymen", LATE)):
        (tmp_path / f"{name}.md").write_text(f"# The {name}\n\n{text} So the {name} say.", encoding="utf-8")
        call_command("import_lectures", str(tmp_path / f"{name}.md"), collection="library", verbosity=0)
    call_command("index", verbosity=0)


def both_years(response):
    (warning,) = [warning for warning in response["warnings"] if warning["type"] == "CONFLICTING_SOURCES"]
    quotes = {cited["n"]: cited["quote"] for cited in response["citations"]}
    said = [" ".join(quotes[n] for n in side) for side in warning["details"]["citations"]]
    assert sorted(text in quote for quote in said for text in (EARLY, LATE)) == [False, False, True, True]
    assert {sentence["text"] for sentence in response["sentences"] if sentence["conflicting"]} == {EARLY, LATE}
    return True


async def test_sources_that_say_opposite_things_are_both_quoted_and_said_to_disagree(bridges):
    response = await ask(BRIDGE, mode="instant")
    assert response["outcome"] == "grounded"
    assert both_years(response)


async def test_closest_passages_that_disagree_give_that_as_the_reason(bridges):
    await in_thread(EmbeddingSpace.objects.update, calibration=GATE)
    registry.replace_model("clip_reader", registry.reader())
    response = await ask(BRIDGE)
    assert (response["outcome"], response["reason"]) == ("closest_passage", "conflicting_sources")
    assert response["answer"].startswith(DISPUTED)
    assert both_years(response)


async def test_what_an_editor_settled_is_not_found_again(bridges):
    def settle():
        early, late = a_fact("Finished in 1871.", "masons:1", EARLY), a_fact("Finished in 1874.", "ferrymen:1", LATE)
        contradiction_resolve(contradiction=a_contradiction(early, late), decision="first")

    await in_thread(settle)
    response = await ask(BRIDGE, mode="instant")
    assert not any(sentence["conflicting"] for sentence in response["sentences"])
