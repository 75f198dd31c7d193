"""What a follow-up is shown of what comes next in the source, and when its best clip answers only the last question."""

from uuid import UUID

from chat.answering.domain.evidence.continuation import unsure_in_thread, with_next_clip, without_shown
from chat.answering.domain.evidence.evidence import Reason
from chat.answering.domain.evidence.quotation import EvidenceSentence, Quote
from chat.answering.domain.question import CitedPlace, QueryPlan, Route, ThreadPlace
from chat.answering.domain.thread.follow_up import FollowUp

SAID = "When a trustee complained, he said: I am waiting for the leaf."
PLACE = ThreadPlace((CitedPlace(UUID(int=1), (0, len(SAID)), SAID),))


def clip(passage, *texts):
    return Quote(passage, tuple(EvidenceSentence(passage, n, (0, 1), text, 0.0, 0.0) for n, text in enumerate(texts)))


def shown(clips):
    return [(quote.passage, quote.answering.text) for quote in clips]


def test_what_comes_next_stands_behind_the_closest_clip_and_takes_the_last_place():
    clips, passages = with_next_clip([clip(0, "a"), clip(1, "b"), clip(1, "c")], ["P", "Q"], [clip(0, "n")], ["N"], 3)
    assert (shown(clips), passages) == ([(0, "a"), (2, "n"), (1, "b")], ("P", "Q", "N"))


def test_a_closest_clip_that_holds_what_comes_next_is_not_shown_beside_it():
    clips, _ = with_next_clip([clip(0, "a"), clip(1, "n", "o"), clip(1, "c")], ["P", "Q"], [clip(0, "n")], ["N"], 4)
    assert shown(clips) == [(0, "a"), (2, "n"), (1, "c")]


def test_where_the_source_ends_the_closest_clips_stay_as_they_are():
    assert with_next_clip([clip(0, "a")], ["P"], [], ["N"], 4) == ((clip(0, "a"),), ("P",))


def test_a_question_that_holds_the_last_one_is_not_answered_by_what_answered_that():
    asked = QueryPlan(Route.SINGLE_HOP, "What did he do? Did that happen?", place=PLACE, repeats_last=True)
    assert unsure_in_thread(asked, [clip(0, SAID)]) is Reason.UNANSWERABLE
    assert not unsure_in_thread(asked, [clip(0, "I do not know whether the story is true.")])
    assert not unsure_in_thread(QueryPlan(Route.SINGLE_HOP, "Who was he?", place=PLACE), [clip(0, SAID)])


def test_a_bare_question_is_not_answered_by_what_answered_the_last_one():
    thread = FollowUp("bare", "Who complained, and when?", "Who complained? When?")
    asked = QueryPlan(Route.SINGLE_HOP, thread.standalone, place=PLACE, repeats_last=thread.repeats_last)
    assert unsure_in_thread(asked, [clip(0, SAID)]) is Reason.UNANSWERABLE
    assert not unsure_in_thread(asked, [clip(0, "It was in the spring.")])


def test_what_was_shown_may_hold_the_time_or_the_place_but_not_the_reason():
    sentences = clip(0, SAID, "It was raining.").sentences
    for asked in ("Who complained, and when?", "Who complained? When was that exactly?", "What happened, and where?"):
        plan = QueryPlan(Route.SINGLE_HOP, asked, place=PLACE, follow_up="bare")
        assert without_shown(plan, sentences) == sentences
    plan = QueryPlan(Route.SINGLE_HOP, "Who complained, and why?", place=PLACE, follow_up="bare")
    assert without_shown(plan, sentences) == sentences[1:]


def test_words_that_a_client_recalls_were_shown_only_where_it_has_them_word_for_word():
    assert PLACE.shown == {SAID}
    assert ThreadPlace(PLACE.cited, "The priest waited for a leaf.").shown == frozenset()
