"""A model writes; readers see what was checked, an honest refusal, or the quotation. Never a blank."""

import asyncio
import json
from collections import Counter
from contextlib import aclosing

import pytest

from audit.models import KnowledgeGap, TurnAudit
from chat.answering import writing
from chat.answering.ask import ask, operator
from chat.answering.domain.caching import CacheRules, is_cacheable
from chat.answering.domain.writing_rules import WritingRules
from corpus.domain.text.folding import fold
from lectorium.ladder.models import Budget, Rung
from lectorium.ladder.prompts import shipped
from lectorium.providers.stand_ins.scripted import Reply
from lectorium.threads import in_thread
from tests.chat.authors import give, speaking
from tests.chat.turns import run_recorded
from tests.factories import a_note

pytestmark = pytest.mark.django_db(transaction=True)

QUESTION = "Who refused to bow to the newly made man?"
GOOD = "Only Iblis refused to bow to the newly made man [^1]. Every angel bowed to him [^1]."
HIDDEN = "Marduk crowned seven emperors beneath Babylon [^1]."


async def answered(*replies, mode="auto", job="synthesize"):
    await give(job)
    with speaking(job, *replies) as model:
        response = await ask(QUESTION, mode=mode)
    return response, model


def texts(response):
    return [sentence["text"] for sentence in response["sentences"]]


async def test_what_is_supported_is_shown_with_its_citation(corpus):
    response, model = await answered(GOOD)
    assert texts(response) == ["Only Iblis refused to bow to the newly made man.", "Every angel bowed to him."]
    assert response["outcome"] == "grounded"
    assert {cited["address"].split(":")[0] for cited in response["citations"]} == {"first-steps"}
    assert len(model.asked) == 1


async def test_no_id_title_or_address_reaches_the_model(corpus):
    _, model = await answered(GOOD)
    prompt = " ".join(message.text for message in model.asked[0])
    assert "[^1]" in prompt
    assert "first-steps" not in prompt
    assert "The First Steps" not in prompt


async def test_an_unsupported_sentence_is_withheld_and_the_rest_stays(corpus):
    response, _ = await answered(f"{GOOD} {HIDDEN}")
    assert "Marduk" not in str(response["sentences"])
    assert response["outcome"] == "partially_grounded"
    assert response["validation"]["removed"] == 1


async def test_what_was_removed_can_be_read_as_plain_text_also_where_nothing_is_left(corpus):
    said = "Marduk crowned seven emperors beneath Babylon."
    for reply, outcome in ((f"{GOOD} {HIDDEN}", "partially_grounded"), (HIDDEN, "refused")):
        response, _ = await answered(reply)
        assert (response["outcome"], [withheld["text"] for withheld in response["withheld"]]) == (outcome, [said])
        assert said not in response["answer"]


async def test_of_a_blocked_answer_not_even_what_was_removed_is_told(corpus, policy):
    policy("block")
    response, _ = await answered(f"{GOOD} {HIDDEN}")
    assert (response["outcome"], response["withheld"]) == ("refused", [])


async def test_an_invented_note_is_never_shown(corpus):
    response, _ = await answered("Only Iblis refused to bow to the newly made man [^41].", GOOD)
    assert all(cited["n"] <= len(response["citations"]) for cited in response["citations"])
    assert "41" not in response["answer"]
    (warning,) = response["warnings"]
    assert (warning["type"], warning["details"]) == ("PHANTOM_SOURCE", {"never_minted": 1})


async def test_what_a_mode_that_failed_had_invented_is_not_held_against_the_quotation(corpus):
    response, _ = await answered(Reply.of("It is so [^41]", fault="cut_off"))
    assert [warning["type"] for warning in response["warnings"]] == ["DEGRADED"]


async def test_what_a_model_that_failed_had_said_is_no_repetition_when_the_next_one_says_it(corpus):
    await give("fallback")
    with speaking("fallback", GOOD):
        response, _ = await answered(Reply.of(GOOD, fault="cut_off"), mode="thinking")
    assert texts(response) == ["Only Iblis refused to bow to the newly made man.", "Every angel bowed to him."]
    assert response["validation"]["removed"] == 0


async def test_what_a_model_that_failed_could_not_prove_costs_the_next_one_no_patience(corpus):
    await give("fallback")
    unproved = f"{HIDDEN} " * (WritingRules().patience - 1)
    with speaking("fallback", f"{HIDDEN} {GOOD}"):
        response, _ = await answered(Reply.of(unproved, fault="cut_off"), mode="thinking")
    assert texts(response) == ["Only Iblis refused to bow to the newly made man.", "Every angel bowed to him."]


async def test_a_repair_is_not_blamed_for_what_the_first_draft_invented(corpus):
    response, _ = await answered(f"{GOOD} {HIDDEN} [^41]", GOOD, mode="thinking")
    assert response["warnings"] == []


async def test_nothing_supported_is_a_refusal(corpus):
    response, _ = await answered(HIDDEN)
    assert (response["outcome"], response["reason"]) == ("refused", "unsupported_claims")
    assert response["citations"] == []


@pytest.mark.parametrize(
    "pieces", [("INSUFFICIENT_EVIDENCE",), ("INSUFF", "ICIENT_", "EVI", "DENCE"), tuple("INSUFFICIENT_EVIDENCE")]
)
async def test_a_model_that_abstains_is_believed_however_its_word_is_cut(corpus, pieces):
    response, _ = await answered(Reply(pieces))
    assert (response["outcome"], response["reason"]) == ("refused", "model_abstained")


async def test_an_empty_outline_refuses_before_anything_is_written(corpus):
    await give("synthesize")
    with speaking("synthesize", GOOD) as writer:
        response, planner = await answered('{"points": []}', job="outline")
    assert (response["outcome"], response["reason"]) == ("refused", "empty_outline")
    assert (len(planner.asked), len(writer.asked)) == (1, 0)


async def test_an_outline_that_babbles_leaves_the_notes_as_ranked(corpus):
    await give("synthesize")
    with speaking("synthesize", GOOD) as writer:
        response, _ = await answered("Sure! Here is your outline.", job="outline")
    assert response["outcome"] == "grounded"
    assert "Outline, not to be cited:\n\n(none)" in writer.asked[0][-1].text


OUTLINE = json.dumps(
    {"points": [{"thesis": "Iblis did not [^1] bow", "notes": [2, 41]}, {"thesis": "x", "notes": [9]}]}
)


async def test_the_theses_reach_the_writer_fenced_with_the_numbers_it_sees_and_the_trace(corpus):
    await give("outline", "synthesize")
    with speaking("outline", OUTLINE), speaking("synthesize", GOOD) as writer:
        response = await ask(QUESTION, record=True)
    assert "Point from [^1]\n| Iblis did not [ ^1] bow" in writer.asked[0][-1].text
    outline = (await in_thread(TurnAudit.objects.get, turn_id=response["id"])).trace["outline"]
    assert (outline["theses"], outline["invented"], outline["fault"]) == (
        [{"text": "Iblis did not [^1] bow", "notes": [2]}], 2, "",
    )  # fmt: skip


async def test_an_outline_that_babbles_is_in_the_trace_as_such(corpus):
    await give("outline", "synthesize")
    with speaking("outline", "Sure!"), speaking("synthesize", GOOD):
        response = await ask(QUESTION, record=True)
    trace = (await in_thread(TurnAudit.objects.get, turn_id=response["id"])).trace
    assert trace["outline"]["fault"] == "not JSON"


async def test_a_forged_quotation_is_withheld(corpus):
    forged = "He said: “Only Iblis refused to bow to the king of the banyan tree” [^1]."
    response, _ = await answered(f"{GOOD} {forged}")
    assert [withheld["reason"] for withheld in response["withheld"]] == ["SNIPPET_MISMATCH"]


async def test_markdown_keeps_its_blocks(corpus):
    response, _ = await answered("- Only Iblis refused to bow [^1].\n- Every angel bowed to him [^1].")
    assert response["answer"].splitlines()[0] == "- Only Iblis refused to bow. [1]"


async def test_without_a_model_the_answer_is_the_quotation(corpus):
    response = await ask(QUESTION)
    assert all(sentence["quoted"] for sentence in response["sentences"])
    assert response["warnings"] == []


async def test_instant_mode_asks_no_model(corpus):
    response, model = await answered(GOOD, mode="instant")
    assert model.asked == []
    assert response["sentences"][0]["quoted"]


FAULTS = ("unreachable", "too_slow", "rate_limited", "server_fault", "cut_off", "empty_answer", "garbled", "wrong_key")


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_provider_that_fails_before_a_sentence_is_replaced_by_the_quotation(corpus, fault):
    response, _ = await answered(Reply.of("", fault=fault), mode="thinking")
    assert all(sentence["quoted"] for sentence in response["sentences"])
    assert response["outcome"] == "grounded"
    assert {warning["details"]["reason"] for warning in response["warnings"]} == {fault}
    assert Counter(warning["type"] for warning in response["warnings"]).keys() == {"DEGRADED"}


async def test_a_reader_is_told_plainly_that_the_days_budget_is_used_up(corpus):
    await in_thread(Budget.objects.create, tokens_a_day=0)
    response, model = await answered(GOOD)
    (warning,) = response["warnings"]
    assert "budget for written answers is used up" in warning["message"]
    assert "00:00 UTC" in warning["message"]
    assert (model.asked, response["sentences"][0]["quoted"]) == ([], True)


async def test_what_was_verified_before_the_fault_stays(corpus):
    said = "Only Iblis refused to bow to the newly made man [^1]. Every angel bowed to him and then"
    response, _ = await answered(Reply.of(said, fault="cut_off"))
    assert texts(response) == ["Only Iblis refused to bow to the newly made man."]
    assert (response["outcome"], response["complete"]) == ("partially_grounded", False)
    assert response["warnings"][0]["details"]["reason"] == "cut_off"


async def test_a_silent_provider_is_not_waited_for(corpus, settings):
    settings.CHAT_SILENCE = 0.1
    response, model = await answered(Reply(("late",), first_after=30.0))
    assert response["sentences"][0]["quoted"]
    assert response["warnings"][0]["details"]["reason"] == "too_slow"
    assert model.closed_early == 1


async def test_a_model_that_was_too_slow_is_not_waited_for_again_in_the_next_mode(corpus, settings):
    settings.CHAT_SILENCE = 0.1
    response, model = await answered(Reply(("late",), first_after=30.0), mode="thinking")
    assert response["sentences"][0]["quoted"]
    assert len(model.asked) == 1


async def test_babble_without_a_marker_is_replaced_by_the_quotation(corpus):
    response, _ = await answered("The weather has been wonderful all week in the northern hills. " * 3)
    assert response["sentences"][0]["quoted"]
    assert response["warnings"][0]["details"]["reason"] == "babble"
    assert response["validation"]["removed"] == 0


async def test_what_was_said_already_is_not_said_again_and_a_model_that_only_repeats_is_stopped(corpus):
    said = "Only Iblis refused to bow to the newly made man [^1]."
    response, _ = await answered(f"{said} " * 40)
    assert texts(response) == ["Only Iblis refused to bow to the newly made man."]
    assert {withheld["reason"] for withheld in response["withheld"]} == {"repeated"}
    assert len(response["withheld"]) == WritingRules().patience


async def test_a_model_that_asks_the_readers_question_again_is_not_shown_to(corpus):
    response, _ = await answered(f"Question | {QUESTION} {GOOD} Refused to bow to the newly made man?")
    assert "?" not in response["answer"]
    assert [withheld["reason"] for withheld in response["withheld"]] == ["echo", "echo"]
    assert response["outcome"] == "partially_grounded"


async def test_a_model_that_never_ends_is_stopped(corpus):
    endless = Reply.of(f"{HIDDEN} " * 60, tokens_a_second=2000)
    response, model = await answered(endless)
    assert response["reason"] == "unsupported_claims"
    assert model.closed_early == 1


async def test_thinking_shows_nothing_before_the_whole_answer_passed(corpus):
    response, _ = await answered(Reply.of(GOOD, fault="cut_off"), mode="thinking")
    assert response["warnings"][0]["details"] == {"mode": "thinking", "reason": "cut_off"}


@pytest.fixture
def stopped(monkeypatch):
    """Answer, and be stopped once so many sentences were checked, of draft and repair together."""
    stream, checked = writing.checked_stream, Counter()

    async def after(number, *replies, mode="thinking"):
        async def until(*arguments):
            async with aclosing(stream(*arguments)) as sentences:
                async for sentence in sentences:
                    yield sentence
                    checked["sentences"] += 1
                    if checked["sentences"] == number:
                        raise asyncio.CancelledError

        checked.clear()
        monkeypatch.setattr(writing, "checked_stream", until)
        response, _ = await answered(*replies, mode=mode)
        assert (response["outcome"], response["complete"]) == ("interrupted", False)
        return response

    return after


IBLIS = "Only Iblis refused to bow to the newly made man."


async def test_a_stopped_answer_that_was_held_back_keeps_what_had_passed(corpus, stopped):
    response = await stopped(2, f"{GOOD} Marduk crowned them")
    assert texts(response) == [IBLIS, "Every angel bowed to him."]
    assert [citation["n"] for citation in response["citations"]] == [1, 2]
    response = await stopped(2, f"{HIDDEN} {GOOD}")
    assert (texts(response), response["validation"]["removed"]) == ([IBLIS], 1)
    assert texts(await stopped(1, f"{HIDDEN} {GOOD}")) == []


async def test_an_answer_stopped_while_it_is_repaired_keeps_what_had_passed_of_the_draft(corpus, stopped):
    response = await stopped(4, f"{GOOD} Dragons sang [^41]. {HIDDEN}", f"{GOOD} [^52]")
    assert texts(response)[0] == IBLIS
    assert "Marduk" not in response["answer"]


@pytest.mark.parametrize(("usual", "high_risk"), [("block", ""), ("withhold", "block"), ("regenerate", "block")])
async def test_where_one_sentence_may_block_all_nothing_of_a_stopped_answer_is_shown(
    corpus, stopped, policy, usual, high_risk
):
    policy(usual, high_risk)
    response = await stopped(1, GOOD, mode="auto")
    assert (texts(response), response["citations"], response["withheld"]) == ([], [], [])


async def test_a_draft_that_would_be_written_anew_is_not_shown_when_it_is_stopped(corpus, stopped, policy):
    policy("regenerate")
    assert texts(await stopped(3, f"{HIDDEN} Seven moons fell [^1]. {GOOD}", mode="auto")) == []
    assert texts(await stopped(1, GOOD, mode="auto")) == [IBLIS]


async def test_a_stopped_answer_below_the_floor_is_not_shown(corpus, stopped):
    assert texts(await stopped(1, f"Only Iblis refused to bow to the newly made ātmā man [^1]. {GOOD}")) == []


async def test_a_turn_ends_in_the_passages_where_even_quoting_fails(corpus, monkeypatch):
    def broken(evidence, rules):
        raise ValueError("no sentence today")

    monkeypatch.setattr("chat.answering.quoting.synthesize_quotes", broken)
    response = await ask(QUESTION, mode="instant")
    assert response["sentences"]
    assert (response["complete"], response["warnings"][0]["type"]) == (False, "DEGRADED")


OUTSIDE = "Who discovered penicillin in London?"
KNOWN = "Alexander Fleming did, in 1928 [^1]. See [Fleming](https://x.example/f) and [verse:1]."


async def told(settings, *replies, mode="auto"):
    settings.OUT_OF_CORPUS = True
    await give("knowledge")
    with speaking("knowledge", *replies) as model:
        return await ask(OUTSIDE, mode=mode), model


async def test_outside_the_corpus_a_model_may_tell_where_the_operator_allows_it_without_any_citation(corpus, settings):
    response, _ = await told(settings, KNOWN)
    assert (response["outcome"], response["citations"]) == ("out_of_corpus", [])
    assert response["answer"] == "Alexander Fleming did, in 1928. See Fleming and."
    assert {sentence["kind"] for sentence in response["sentences"]} == {"outside"}
    assert "general knowledge" in response["message"]


async def test_outside_the_corpus_not_even_a_bare_number_passes_for_a_reference(corpus, settings):
    response, _ = await told(settings, "Fleming found it (1). Florey made it a drug (2, 3). He lived long (1881).")
    assert response["answer"] == "Fleming found it. Florey made it a drug. He lived long (1881)."


async def test_a_fallback_that_breaks_off_says_that_it_is_not_all(corpus, settings):
    response, _ = await told(settings, Reply.of("Alexander Fleming did. He was then", fault="cut_off"))
    assert (response["outcome"], response["answer"]) == ("out_of_corpus", "Alexander Fleming did.")
    assert response["complete"] is False
    assert [(warning["type"], warning["details"]["reason"]) for warning in response["warnings"]] == [
        ("DEGRADED", "cut_off")
    ]


async def test_the_fallback_is_off_by_default(corpus):
    await give("knowledge")
    with speaking("knowledge", KNOWN) as model:
        response = await ask(OUTSIDE)
    assert (response["outcome"], model.asked) == ("refused", [])


async def test_a_fallback_that_fails_leaves_the_refusal(corpus, settings):
    response, _ = await told(settings, Reply.of("", fault="unreachable"))
    assert response["outcome"] == "refused"


@pytest.fixture
def policy(settings):
    def choose(usual, high_risk=""):
        settings.POLICY, settings.HIGH_RISK_POLICY = usual, high_risk

    return choose


async def test_warn_shows_what_is_not_proved_under_its_verdict_and_without_a_citation(corpus, policy):
    policy("warn")
    response, _ = await answered(f"{GOOD} {HIDDEN}")
    flagged = response["sentences"][-1]
    assert (flagged["text"], flagged["citations"]) == ("Marduk crowned seven emperors beneath Babylon.", [])
    assert flagged["verdict"] in ("unsupported", "contradicted")
    assert response["validation"]["removed"] == 0
    assert response["confidence"] == 0.0


async def test_an_answer_that_warns_of_a_sentence_is_neither_grounded_nor_sure_nor_given_again(corpus, policy):
    policy("warn")
    other = "The banyan tree sometimes lives for six thousand years [^1]."
    response, _ = await answered(f"Only Iblis refused to bow to the newly made man [^1]. {other}")
    assert response["sentences"][-1]["verdict"] in ("unsupported", "contradicted")
    assert (response["outcome"], response["confidence"]) == ("partially_grounded", 0.0)
    (warning,) = [warning for warning in response["warnings"] if warning["type"] == "UNVERIFIED_TERMS"]
    assert any("six thousand" in term for term in warning["details"]["terms"])
    assert not is_cacheable(response, CacheRules())


async def test_a_forged_quotation_is_never_shown_not_even_under_a_warning(corpus, policy):
    policy("warn")
    forged = "He said: “Only Iblis refused to bow to the king of the banyan tree” [^1]."
    response, _ = await answered(f"{GOOD} {forged}")
    assert [(withheld["reason"], withheld["text"]) for withheld in response["withheld"]] == [("SNIPPET_MISMATCH", "")]
    assert [warning["type"] for warning in response["warnings"]] == ["SNIPPET_MISMATCH"]


async def test_block_shows_nothing_of_an_answer_with_an_unproved_sentence(corpus, policy):
    policy("block")
    response, _ = await answered(f"{GOOD} {HIDDEN}")
    assert (response["outcome"], response["reason"]) == ("refused", "unsupported_claims")
    assert 0 < response["validation"]["faithfulness"] < 1  # of the draft, which nobody was shown
    whole, _ = await answered(GOOD)
    assert whole["outcome"] == "grounded"


async def test_what_is_only_said_twice_blocks_nothing(corpus, policy):
    policy("block")
    response, _ = await answered(f"{GOOD} Only Iblis refused to bow to the newly made man [^1].")
    assert texts(response) == ["Only Iblis refused to bow to the newly made man.", "Every angel bowed to him."]
    assert [withheld["reason"] for withheld in response["withheld"]] == ["repeated"]


async def test_regenerate_keeps_the_more_faithful_of_two_drafts(corpus, policy):
    policy("regenerate")
    response, model = await answered(f"{HIDDEN} {HIDDEN} Only Iblis refused to bow to the newly made man [^1].", GOOD)
    assert texts(response) == ["Only Iblis refused to bow to the newly made man.", "Every angel bowed to him."]
    asked = " ".join(message.text for message in model.asked[1])
    assert "Marduk crowned seven emperors" in asked


async def test_a_high_risk_answer_may_have_its_own_policy(corpus, policy):
    policy("withhold", "block")
    response, _ = await answered(f"{HIDDEN} {HIDDEN} {GOOD}")
    assert response["outcome"] == "refused"
    response, _ = await answered(GOOD)
    assert response["outcome"] == "grounded"


async def test_thinking_repairs_a_failing_draft_once(corpus):
    response, model = await answered(f"{GOOD} {HIDDEN}", GOOD, mode="thinking")
    assert (texts(response), response["validation"]["removed"]) == (
        ["Only Iblis refused to bow to the newly made man.", "Every angel bowed to him."],
        0,
    )
    assert len(model.asked) == 2


async def test_a_citation_of_another_note_is_moved_to_the_one_that_proves_it(corpus):
    response, _ = await answered("Only Iblis refused to bow to the newly made man [^2].")
    (sentence,) = response["sentences"]
    assert (sentence["repair"], response["validation"]["miscited"]) == ("moved", 1)
    assert response["citations"][0]["address"].startswith("first-steps")


VERSE_QUESTION = "Who has a right to the work, but never to its fruits?"


async def cards_shown(text):
    await give("synthesize")
    with speaking("synthesize", text) as model:
        response = await ask(VERSE_QUESTION)
    prompt = model.asked[0]
    number = next(n for n in range(1, 9) if f"[^{n}]\n| The work is yours by right" in prompt[-1].text)
    return response, number, prompt[0].text


async def test_a_verse_or_chapter_card_is_drawn_where_its_note_proves_the_sentence(corpus):
    said = "The work is yours by right, but never its fruits [verse:1][chapter:1]."
    response, number, prompt = await cards_shown(said)
    assert number == 1
    assert "[verse:1] in place of the plain marker also shows the verse" in prompt
    (sentence,) = response["sentences"]
    assert [(card["kind"], card["address"]) for card in sentence["cards"]] == [
        ("verse", "BG 2.47"),
        ("chapter", "BG 2"),
    ]
    assert all(card["url"].startswith("/") and card["title"] for card in sentence["cards"])
    assert sentence["citations"] == [1]


async def test_a_card_of_a_note_that_proves_nothing_and_every_action_are_dropped(corpus):
    said = "The work is yours by right, but never its fruits [^1][verse:2][action:1][chapter:9]."
    response, _, _ = await cards_shown(said)
    (sentence,) = response["sentences"]
    assert sentence["cards"] == []
    assert "action" not in response["answer"]


async def test_what_only_evidence_outside_the_outline_proves_is_cited_to_it(corpus):
    await give("outline")
    with speaking("outline", '{"points": [{"thesis": "He refused.", "notes": [2]}]}'):
        response, model = await answered("Only Iblis refused to bow to the newly made man [^1].")
    assert "Iblis" not in " ".join(message.text for message in model.asked[0])
    (sentence,) = response["sentences"]
    assert (sentence["repair"], response["validation"]["miscited"]) == ("moved", 1)
    assert response["citations"][0]["address"].startswith("first-steps")


async def test_a_true_sentence_without_a_citation_is_given_the_one_that_proves_it(corpus):
    response, _ = await answered("Every angel bowed to him [^1]. Only Iblis refused to bow to the newly made man.")
    assert response["sentences"][-1]["repair"] == "suggested"
    assert response["validation"]["uncited"] == 1


async def test_a_term_its_source_does_not_have_lowers_the_confidence_and_is_named(corpus):
    response, _ = await answered(f"{GOOD} Only Iblis refused to bow to the newly made ātmā man [^1].")
    (warning,) = response["warnings"]
    assert (warning["type"], warning["details"]["terms"]) == ("UNVERIFIED_TERMS", ["ātmā"])
    assert response["sentences"][-1]["verdict"] == "partial"
    assert response["validation"]["terms_verified"] < response["validation"]["terms_total"]


async def test_an_answer_shown_as_it_was_written_that_turns_out_weakly_supported_says_so(corpus):
    response, _ = await answered("Only Iblis refused to bow to the newly made ātmā man [^1].")
    assert response["confidence"] < WritingRules().confidence_floor
    assert (response["outcome"], response["complete"]) == ("partially_grounded", False)
    (warning,) = [warning for warning in response["warnings"] if warning["type"] == "DEGRADED"]
    assert warning["details"] == {"mode": "auto", "reason": "weakly_supported"}


async def test_a_whole_answer_of_low_confidence_is_left_to_a_lower_mode(corpus):
    unheld = "Only Iblis refused to bow to the newly made ātmā man [^1]."
    response, model = await answered(unheld, GOOD, mode="thinking")
    (warning,) = response["warnings"]
    assert (warning["type"], warning["details"]) == ("DEGRADED", {"mode": "thinking", "reason": "low_confidence"})
    assert texts(response) == ["Only Iblis refused to bow to the newly made man.", "Every angel bowed to him."]
    assert len(model.asked) == 2


async def test_the_language_to_write_in_is_named_and_an_answer_in_another_than_its_sources_is_withheld(corpus):
    await give("synthesize")
    told = "Nur Iblis weigerte sich, sich vor dem Menschen zu verneigen [^1]. Jeder Engel verneigte sich [^1]."
    with speaking("synthesize", told) as model:
        viewer = await in_thread(operator)
        ended, _ = await run_recorded(QUESTION, viewer, mode="auto", locale="de")
    assert "Write in German, or the question's own language where that is another" in model.asked[0][0].text
    # No local check can tell that German words say what English ones do: a missing sentence is the safe failure.
    assert not ended.sentences
    assert (ended.outcome, ended.reason) == ("refused", "unsupported_claims")
    assert {sentence.reason for sentence in ended.withheld} == {"unsupported_claims"}


async def test_the_time_of_route_and_checks_is_told_apart_from_planning_and_writing(corpus):
    await give("route")
    label = '{"label": "single_hop", "false_premise": false, "injection": false}'
    with speaking("route", Reply((label,), first_after=0.05)):
        response, _ = await answered(GOOD)
    assert 50 <= response["timings_ms"]["route"] <= response["timings_ms"]["plan"]
    assert response["timings_ms"]["verify"] > 0


async def test_what_editors_noted_guides_the_model_without_a_number_to_cite_it_by(corpus):
    await in_thread(a_note, "Pride", body="Pride is the root of it.", triggers=[QUESTION])
    response, model = await answered(GOOD)
    prompt = " ".join(message.text for message in model.asked[0])
    assert "Background\n| Pride is the root of it." in prompt
    assert "Pride" not in str(response["citations"]) + response["answer"]


async def test_the_audit_names_who_served_each_job_with_tokens_and_outcome(corpus):
    await give("outline", "synthesize", "title")
    with (
        speaking("outline", "Sure! Here is your outline."),
        speaking("synthesize", Reply(fault="server_fault"), GOOD),
        speaking("title", "Who refused"),
    ):
        response = await ask(QUESTION, record=True)
    audit = await in_thread(TurnAudit.objects.get, turn_id=response["id"])
    rows = {row.job: row for row in await in_thread(lambda: list(Rung.objects.all()))}
    served = {call["job"]: call for call in audit.trace["served"]}
    assert {job: call["outcome"] for job, call in served.items()} == {
        "route": "builtin", "plan": "builtin", "outline": "written", "synthesize": "server_fault", "verify": "builtin",
        "extract_claims": "builtin", "title": "written", "suggest": "builtin",
    }  # fmt: skip
    for job, row in rows.items():
        call = served[job]
        assert (call["model"], call["row"], call["version"]) == (row.model, str(row.pk), 1)
        assert (call["prompt"], call["percent"]) == (shipped(job).version, 100)
        assert call["tokens_in"] > 0


async def test_a_repair_is_noted_under_its_own_job_by_the_model_that_wrote(corpus):
    await give("synthesize")
    with speaking("synthesize", f"{GOOD} {HIDDEN}", GOOD):
        response = await ask(QUESTION, mode="thinking", record=True)
    audit = await in_thread(TurnAudit.objects.get, turn_id=response["id"])
    written = [call for call in audit.trace["served"] if call["outcome"] == "written"]
    assert [(call["job"], call["prompt"]) for call in written] == [
        ("synthesize", shipped("synthesize").version), ("cove", shipped("cove").version),
    ]  # fmt: skip
    assert len({call["row"] for call in written}) == 1


async def test_a_sentence_that_nothing_proves_is_a_gap_for_editors(corpus):
    await give("synthesize")
    with speaking("synthesize", Reply.of(f"{GOOD} {HIDDEN}")):
        await ask(QUESTION, record=True)
    gap = await in_thread(KnowledgeGap.objects.get)
    assert (gap.kind, gap.reason, gap.question) == ("sentence", "gap", QUESTION)
    assert gap.sentence == HIDDEN.replace(" [^1]", "")
    assert gap.nearest


async def test_the_record_says_what_each_alias_stood_for_and_where_a_citation_was_moved(corpus):
    wrong = "Only Iblis refused to bow to the newly made man [^{0}]. Every angel bowed to him."
    await give("synthesize")
    with speaking("synthesize", Reply.of(wrong.format(2))):
        await ask(QUESTION, record=True)
    trace = (await in_thread(TurnAudit.objects.get)).trace
    (attempt,) = trace["writing"]
    chunks = {note["alias"]: (note["chunk"], note["address"]) for note in attempt["notes"]}
    assert len(chunks) > 1
    assert {note["chunk"] for note in trace["outline"]["notes"]} >= {chunk for chunk, _ in chunks.values()}
    assert [thesis["notes"] for thesis in trace["outline"]["theses"]] == [[alias] for alias in chunks]
    moved, suggested = attempt["sentences"]
    (proof,) = moved["proofs"]
    assert (moved["cited"], moved["repair"], moved["moved"]) == ([2], "moved", {"from": [2], "to": [proof["note"]]})
    assert proof["chunk"] == chunks[proof["note"]][0]
    assert proof["span"][0] < proof["span"][1]
    assert (suggested["cited"], suggested["moved"]["to"]) == ([], [proof["note"] for proof in suggested["proofs"]])
    assert {"kind": "name", "text": "Iblis", "held": True} in moved["terms"]


async def test_redacted_wholly_no_word_of_question_or_answer_is_left_in_the_record(corpus, settings):
    settings.REDACT = "all"
    extra = "Only Iblis refused to bow to the newly made ātmā man [^1]."
    await give("synthesize")
    with speaking("synthesize", Reply.of(f"{GOOD} {HIDDEN} {extra}")):
        answer = await ask(QUESTION, record=True)
    await ask("Who discovered penicillin in London?", mode="instant", record=True)
    assert {warning["type"] for warning in answer["warnings"]} == {"UNVERIFIED_TERMS"}
    audits, gaps = await in_thread(lambda: [list(model.objects.values()) for model in (TurnAudit, KnowledgeGap)])
    kept = fold(str([*audits, *gaps])).split()
    assert len(audits) == len(gaps) == 2
    said = fold(f"{QUESTION} {GOOD} {HIDDEN} {extra} discovered penicillin london newly").split()
    left = {word for word in said if len(word) > 3} & set(kept)
    assert left == {"refused"}  # what became of the second question
