from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.clip_order import JudgedClips, grown_clips, led_by_answer, order_clips, said_first
from chat.answering.domain.evidence.quotation import EvidenceSentence, QuotationRules, Quote

RULES = QuotationRules(score_weight=8.0, near_best=3.0)
numbers = st.floats(-10, 10)


def clip(place, *, defines=False):
    sentence = EvidenceSentence(place, 0, (0, 9), f"Clip {place}.", 0.5)
    return Quote(place, (replace(sentence, defines=defines),), 0)


def order(clips, relevance, answerability=None, scores=None, bare_verses=None):
    none = [0.0] * len(clips)
    return order_clips(clips, relevance, answerability or none, scores or none, bare_verses or none, RULES)


def names(ordered):
    return [quote.sentences[0].text for quote in ordered.clips]


def order_said(said, held, answerability=(0.9, 0.2, 0.3)):
    clips = [clip(1), clip(2), clip(3)]
    found = said_first(JudgedClips((clips[0],), 0.9), clips, answerability, said, held[0], RULES)
    return names(found), found.answerability


def test_clips_that_say_rare_words_together_come_before_a_passage_that_holds_none_and_answer_by_themselves():
    assert order_said([0, 2, 2], [0, 2, 2]) == (["Clip 3.", "Clip 2."], 0.3)
    assert order_said([0, 3, 2], [0, 3, 2]) == (["Clip 2.", "Clip 3."], 0.2)


@pytest.mark.parametrize(("words", "held"), [([0, 1, 1], [0, 1, 1]), ([0, 2, 2], [1, 2, 2])])
def test_one_rare_word_or_a_passage_that_holds_one_changes_nothing(words, held):
    assert order_said(words, held) == (["Clip 1."], 0.9)


def test_relevance_and_the_leads_score_decide_together():
    ordered = order([clip(1), clip(2)], [2.0, 1.0], [0.1, 0.4], [0.0, 0.25])
    assert names(ordered) == ["Clip 2.", "Clip 1."]
    assert ordered.answerability == 0.4


def test_the_level_is_a_geometric_mean_in_which_missing_clips_count_as_the_least():
    assert order([clip(1), clip(2)], [2.0, 2.0], [0.8, 0.2]).level == pytest.approx((0.8 * 0.2**7) ** (1 / 8))
    many = [clip(place) for place in range(20)]
    assert order(many, [2.0] * 20, [0.5] * 8 + [0.9] * 12).level == pytest.approx(0.5)
    assert 0 < order([clip(1)], [2.0], [0.0]).level < 0.001


def test_the_lead_grows_with_the_distance_to_the_second_clip():
    assert order([clip(1), clip(2)], [2.0, 2.0]).lead == 0.0
    assert order([clip(1), clip(2)], [2.0, 9.0]).lead > 0.99
    assert order([clip(1)], [2.0]).lead == 0.0


def test_clips_far_behind_the_first_are_left_out():
    assert names(order([clip(1), clip(2), clip(3)], [5.0, 2.0, 1.9])) == ["Clip 1.", "Clip 2."]


def test_a_definition_comes_first_however_little_it_is_worth():
    ordered = order([clip(1), clip(2, defines=True)], [5.0, -5.0])
    assert names(ordered) == ["Clip 2.", "Clip 1."]


def test_a_verse_that_nobody_asked_for_stands_behind_the_talk_about_it():
    verse, talk = clip(1), clip(2)
    assert names(order([verse, talk], [2.0, 1.0], bare_verses=[True, False])) == ["Clip 2.", "Clip 1."]
    assert names(order([verse, talk], [9.0, 1.0], bare_verses=[True, False])) == ["Clip 1."]


@pytest.mark.parametrize(("answer", "lead"), [(None, 0), ((0, 4), 0), ((8, 20), 1), ((9, 27), 1), ((99, 120), 0)])
def test_the_sentence_that_holds_most_of_the_answer_leads(answer, lead):
    first = clip(1).sentences[0]
    told = Quote(1, (first, replace(first, position=1, text="And so it went on.")), 0)
    assert led_by_answer(told, answer).lead == lead


def test_clips_are_shown_grown_and_no_more_than_asked_for():
    clips = [clip(1), clip(2), clip(3)]
    after = replace(clips[0].sentences[0], position=1, text="And so it went on.")
    sentences = [quote.sentences[0] for quote in clips] + [after]
    first, second = grown_clips(clips, sentences, RULES, 2)
    assert [sentence.text for sentence in first.sentences] == ["Clip 1.", "And so it went on."]
    assert second == clips[1]


def test_a_passage_that_two_chunks_share_is_shown_once():
    first = clip(1)
    again = replace(first, passage=2, sentences=(replace(first.sentences[0], passage=2),))
    assert grown_clips([first, again], [first.sentences[0], again.sentences[0]], RULES, 2) == (first,)


def test_no_clips_give_none():
    assert order([], []) == JudgedClips()


@given(values=st.lists(st.tuples(numbers, numbers), min_size=1, max_size=9))
def test_the_best_clip_stays_and_leads(values):
    relevance, scores = zip(*values, strict=True)
    worth = [one + RULES.score_weight * other for one, other in values]
    ordered = order([clip(place) for place in range(len(values))], relevance, relevance, scores)
    kept = [worth[quote.sentences[0].passage] for quote in ordered.clips]
    assert kept == sorted((value for value in worth if value >= max(worth) - RULES.near_best), reverse=True)
