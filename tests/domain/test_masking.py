from chat.answering.domain.refusals import CLOSEST, MESSAGES
from chat.conversations.domain.masking import (
    ABILITIES,
    SAYS,
    events_for,
    response_for,
    responses_for,
    without_surroundings,
)


def sentence(text, *citations):
    return {"text": text, "citations": list(citations)}


RESPONSE = {
    "sentences": [sentence("Seen.", 1), sentence("Of both.", 1, 2), sentence("Hidden.", 2), sentence("So.")],
    "citations": [{"n": 1, "quote": "seen", "address": "a:1"}, {"n": 2, "quote": "hidden", "address": "b:1"}],
    "references": [{"n": 1, "chunk": "1"}, {"n": 2, "chunk": "2"}],
    "nearest": [],
    "answer": "Seen. Of both. Hidden. So.",
    "withheld": [{"reason": "other_scope", "found_in": "B"}],
    "summary": "4 sentences",
    "warnings": [],
}


def all_but_hidden(quote):
    return quote["quote"] != "hidden"


def test_an_answer_of_which_all_may_be_seen_stays_as_it_is():
    assert response_for(RESPONSE, lambda quote: True) == RESPONSE
    assert response_for({}, lambda quote: False) == {}


def test_a_sentence_goes_with_any_of_its_citations_and_uncited_ones_with_them():
    left = response_for(RESPONSE, all_but_hidden)
    assert [sentence["text"] for sentence in left["sentences"]] == ["Seen."]
    assert (
        [citation["n"] for citation in left["citations"]] == [reference["n"] for reference in left["references"]] == [1]
    )
    assert left["answer"] == f"Seen. [1] {SAYS}"
    assert [warning["message"] for warning in left["warnings"]] == [SAYS]
    assert "B" not in str(left["withheld"])


def test_events_go_likewise_and_the_last_one_says_so():
    cited = {citation["n"]: citation for citation in RESPONSE["citations"]}
    events = [
        {"type": "status", "stage": "plan"},
        {"type": "sources", "items": [{"title": "B"}]},
        *(
            {**sentence, "type": "sentence", "citations": [cited[n] for n in sentence["citations"]]}
            for sentence in RESPONSE["sentences"]
        ),
        {"type": "done", "outcome": "grounded", "warnings": []},
    ]
    assert events_for(events, lambda quote: True) == events
    left = events_for(events, all_but_hidden)
    assert [event.get("text", event["type"]) for event in left] == ["status", "Seen.", "done"]
    assert left[-1]["warnings"][0]["message"] == SAYS


CLOSEST_PASSAGE = RESPONSE | {"outcome": "closest_passage", "reason": "unanswerable", "message": CLOSEST}


def test_a_closest_passage_keeps_its_notice_as_long_as_something_of_it_is_shown():
    left = response_for(CLOSEST_PASSAGE, all_but_hidden)
    assert left["answer"] == f"{CLOSEST} Seen. [1] {SAYS}"
    gone = response_for(CLOSEST_PASSAGE, lambda quote: False)
    assert (gone["sentences"], gone["message"]) == ([], MESSAGES["unanswerable"])
    assert CLOSEST not in gone["answer"]


def test_the_notice_of_a_closest_passage_that_is_gone_goes_with_it():
    notice = {"type": "notice", "kind": "closest_passage", "message": CLOSEST}
    cited = RESPONSE["citations"]
    events = [notice, *({"type": "sentence", "text": citation["quote"], "citations": [citation]} for citation in cited)]
    assert events_for(events, lambda quote: True) == events
    assert events_for(events, all_but_hidden) == events[:2]
    assert events_for(events, lambda quote: False) == []


def test_after_what_is_gone_a_question_stands_as_it_was_asked():
    asked = {"question": "And why?", "standalone_question": "Why hidden?"}
    whole = [{**asked, "nearest": []}, RESPONSE | asked, {**asked, "nearest": []}]
    assert responses_for(whole, lambda quote: True) == whole
    left = responses_for(whole, all_but_hidden)
    assert [turn["standalone_question"] for turn in left] == ["Why hidden?", "Why hidden?", "And why?"]


def test_who_sees_less_is_not_told_what_was_searched_nor_which_addresses_there_are():
    warnings = [{"type": "PHANTOM_SOURCE", "message": "There is no Vault 9."}, {"type": "DEGRADED", "message": "Slow."}]
    refused = {
        "outcome": "refused",
        "reason": "outside_corpus",
        "message": "There is no Vault 9.",
        "searched": "9 lectures",
    }
    left = without_surroundings({**refused, "warnings": warnings})
    assert (left["message"], left["searched"]) == (MESSAGES["outside_corpus"], "")
    assert left["warnings"] == warnings[1:]
    greeting = without_surroundings({"outcome": "no_retrieval", "message": "Hello."})
    assert greeting["message"] == "Hello."
    named = {
        "outcome": "no_retrieval",
        "message": f"{ABILITIES} Some of the lectures: “Vault”.",
        "examples": ["Vault?"],
    }
    shared = without_surroundings(named)
    assert (shared["message"], shared["examples"], shared["readings"]) == (ABILITIES, [], [])
