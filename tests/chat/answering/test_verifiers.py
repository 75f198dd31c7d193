"""Who judges what a model writes: another model where the ladder names one, never nobody."""

import asyncio
import json

import pytest

from audit.models import TurnAudit
from chat.answering.ask import ask
from chat.answering.domain.english.claims import atomic_claims
from chat.answering.verifiers import splitter_for, verifier_for
from lectorium.ladder.calls import collect_calls
from lectorium.ladder.models import Budget, PromptText, Usage
from lectorium.ladder.selectors import prompt
from lectorium.ladder.services import judge_bar_record, prompt_save
from lectorium.providers.handwritten_bar import HandwrittenBar
from lectorium.providers.stand_ins.scripted import Reply
from lectorium.threads import THREADS, in_thread
from tests.chat.answering.test_writing import GOOD, HIDDEN, QUESTION
from tests.chat.authors import give, speaking

pytestmark = pytest.mark.django_db(transaction=True)

EVIDENCE = "Only Iblis refused to bow to the newly made man."
BELIEVES = json.dumps({"verdict": "supported", "support": 0.93, "quote": EVIDENCE})


def supports(author="scripted:synthesize", question=QUESTION):
    """Return the supports of a claim that shares no word with its evidence."""
    judge = verifier_for(question, "turn", author)
    return [judgement.support for judgement in judge.verify([(EVIDENCE, "Marduk reigned.")])]


async def judged(reply, **choice):
    await give("verify")
    with speaking("verify", reply) as model:
        return await in_thread(supports, **choice), len(model.asked)


async def test_without_a_model_the_local_verifier_judges(corpus):
    assert await in_thread(supports) == [0.0]


async def test_a_model_of_the_ladder_judges_and_its_calls_are_counted(corpus):
    assert await judged(BELIEVES) == ([0.93], 1)
    used = await in_thread(Usage.objects.get, job="verify")
    assert (used.calls, used.faults) == (1, 0)
    assert used.tokens_in > used.tokens_out > 0


async def test_the_judges_prompt_can_be_written_anew_and_its_version_is_recorded(corpus):
    text = "# system\nWeigh it.\n# user\n{{evidence}}\n{{claim}}"
    written = await in_thread(prompt_save, prompt=PromptText(name="verify", text=text), by="boss")
    collect_calls(calls := [])
    await give("verify")
    with speaking("verify", BELIEVES) as model:
        await in_thread(supports)
    system, user = model.asked[0]
    assert system.text == "Weigh it."
    assert user.text == f"Evidence\n| {EVIDENCE}\nClaim\n| Marduk reigned."
    assert [call.served.prompt for call in calls] == [written.version]


async def test_no_model_judges_what_it_wrote_itself(corpus):
    assert await judged(BELIEVES, author="scripted:verify") == ([0.0], 0)


async def test_a_judge_that_cannot_be_reached_leaves_it_to_the_local_one(corpus):
    supported, _ = await judged(Reply.of("", fault="unreachable"))
    assert supported == [0.0]
    assert (await in_thread(Usage.objects.get, job="verify")).faults == 1


async def test_what_the_local_verifier_judges_in_a_judges_place_is_not_called_proven(corpus):
    await in_thread(
        judge_bar_record,
        model="scripted:verify",
        prompt=(await in_thread(prompt, "verify")).version,
        bar=HandwrittenBar(0.0, "ab12"),
    )
    await give("verify")
    passed = []
    for reply in (BELIEVES, Reply.of("", fault="unreachable")):
        with speaking("verify", reply):
            judge = await in_thread(verifier_for, QUESTION, "turn", "")
            judged = await in_thread(judge.verify, [(EVIDENCE, EVIDENCE)])
        passed.append((judge.passed_bar, judged[0].passed_bar))
    assert passed == [(True, True), (True, False)]


@pytest.mark.parametrize(("share", "word"), [(0.0, "verified"), (0.5, "checked")])
async def test_an_answer_is_called_verified_only_where_its_judge_passed_the_bar(corpus, share, word):
    version = (await in_thread(prompt, "verify")).version
    bar = HandwrittenBar(share, "ab12")
    await in_thread(judge_bar_record, model="scripted:verify", prompt=version, bar=bar)
    await give("synthesize", "verify")
    with speaking("synthesize", "He alone declined to bow to the new man [^1]."), speaking("verify", BELIEVES):
        response = await ask(QUESTION, mode="auto", record=True)
    trace = (await in_thread(TurnAudit.objects.get, turn_id=response["id"])).trace
    assert [(sentence["verdict"], sentence["proof"]) for sentence in response["sentences"]] == [("supported", word)]
    assert [sentence["proof"] for sentence in trace["sentences"]] == [word]
    assert [sentence["proof"] for sentence in trace["writing"][0]["sentences"]] == [word]
    assert f"1 claim · 1 {word} · 0 partly" in response["summary"]
    assert response["validation"]["claims_checked"] == (word == "checked")


async def test_for_an_unspecific_question_the_local_verifier_judges(corpus, settings):
    settings.MIN_SPECIFICITY = 0.5
    assert await judged(BELIEVES, question="What did every angel do?") == ([0.0], 0)
    assert await judged(BELIEVES, question="What did Marduk say to Iblis?") == ([0.93], 1)


@pytest.mark.parametrize(("least", "shown"), [(0.0, 3), (1.0, 2)])
async def test_passing_the_model_over_never_makes_a_sentence_supported(corpus, settings, least, shown):
    settings.MIN_SPECIFICITY = least
    await give("synthesize", "verify")
    told = "He alone declined [^1]."
    with speaking("synthesize", f"{GOOD} {told} {HIDDEN}"), speaking("verify", BELIEVES):
        response = await ask(QUESTION, mode="auto")
    assert len(response["sentences"]) == shown
    assert "Marduk" not in response["answer"]


async def test_a_turn_records_who_judged_it_and_each_of_the_calls(corpus):
    await give("synthesize", "verify")
    with speaking("synthesize", GOOD), speaking("verify", BELIEVES) as model:
        response = await ask(QUESTION, mode="auto", record=True)
    trace = (await in_thread(TurnAudit.objects.get, turn_id=response["id"])).trace
    judged = [call for call in trace["served"] if call["job"] == "verify"]
    assert [call["outcome"] for call in judged] == ["written"] * len(model.asked) != []
    assert [written["verifier"] for written in trace["writing"]] == ["judge scripted:verify"]
    assert (await in_thread(Usage.objects.get, job="verify")).calls == len(model.asked)


async def test_a_judge_whose_budget_is_spent_is_not_asked_and_the_local_one_judges(corpus):
    await in_thread(Budget.objects.create, job="verify", tokens_a_day=0)
    assert await judged(BELIEVES) == ([0.0], 0)


async def test_checks_that_hold_every_thread_still_get_their_judgements(corpus):
    await give("verify")
    with speaking("verify", Reply.of(BELIEVES, tokens_a_second=200)):
        asked = [in_thread(supports) for _ in range(2 * THREADS)]
        assert await asyncio.wait_for(asyncio.gather(*asked), 60) == [[0.93]] * len(asked)


JOINED = "Iblis, a spirit of fire, stood apart and left the garden."
PARTED = ("Iblis a spirit of fire stood apart.", "Iblis left the garden.")


async def parted(reply, sentence=JOINED, author="scripted:synthesize"):
    await give("extract_claims")
    with speaking("extract_claims", reply) as model:
        return await in_thread(lambda: splitter_for("turn", author)(sentence)), len(model.asked)


async def test_a_model_of_the_ladder_parts_a_sentence_and_its_call_is_counted(corpus):
    assert await parted(json.dumps({"claims": PARTED})) == (PARTED, 1)
    assert (await in_thread(Usage.objects.get, job="extract_claims")).calls == 1


@pytest.mark.parametrize("reply", ["Sure!", json.dumps({"claims": ["Iblis left."]}), Reply.of("", fault="unreachable")])
async def test_a_split_that_may_not_stand_leaves_it_to_the_rules(corpus, reply):
    assert await parted(reply) == (atomic_claims(JOINED), 1)


async def test_without_a_model_or_where_nothing_may_be_parted_nobody_is_asked(corpus):
    assert await in_thread(splitter_for, "turn", "") is atomic_claims
    assert (await parted("Sure!", "Iblis did not bow and left the garden."))[1] == 0
    assert (await parted("Sure!", author="scripted:extract_claims"))[1] == 0


async def test_the_turn_checks_each_claim_that_a_model_parts_and_records_the_calls(corpus):
    await give("synthesize", "extract_claims")
    claims = ["Every angel bowed to him.", "Marduk, king of Babylon, ruled the garden."]
    sentence = "Every angel bowed to him and Marduk, king of Babylon, ruled the garden [^1]."
    reply = json.dumps({"claims": claims})
    with speaking("synthesize", f"{GOOD} {sentence}"), speaking("extract_claims", reply) as model:
        response = await ask(QUESTION, mode="auto", record=True)
    trace = (await in_thread(TurnAudit.objects.get, turn_id=response["id"])).trace
    checked = trace["writing"][0]["sentences"][-1]
    assert ([claim["text"] for claim in checked["claims"]], checked["verdict"]) == (claims, "unsupported")
    assert "Marduk" not in response["answer"]
    calls = [call["outcome"] for call in trace["served"] if call["job"] == "extract_claims"]
    assert calls == ["written"] * len(model.asked) != []
