from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from chat.domain.quotation import (
    QuotationRules,
    Quote,
    Sentence,
    choose_quotes,
    leading_clip,
    nearest_sentences,
)

RULES = QuotationRules()


def test_a_clip_over_two_chunks_is_two_quotes():
    first, second, other = (
        Quote(n, (sentence("It is one."),), lead=None if continues else 0, continues=continues)
        for n, continues in enumerate((False, True, False))
    )
    assert leading_clip((first, second, other)) == (first, second)
    assert leading_clip((first, other)) == (first,)
    assert leading_clip(()) == ()


def sentence(text, passage=0, position=0, similarity=0.5, share=0.5, paragraph="p1"):
    start = position * 1000
    return Sentence(passage, position, (start, start + len(text)), text, similarity, share, 0.5, paragraph)


def texts(quotes):
    return [[one.text for one in quote.sentences] for quote in quotes]


def test_the_most_direct_sentence_leads():
    weak = sentence("The river was wide and slow that year.", 0, 0, 0.3, 0.2)
    strong = sentence("Karma-yoga is work without a claim on its fruit.", 1, 0, 0.9, 0.9)
    assert texts(choose_quotes([weak, strong], RULES))[0] == [strong.text]


def test_a_sentence_that_points_back_brings_its_neighbour():
    first = sentence("Iblis alone refused to bow to the new man.", 0, 0, 0.2, 0.2)
    second = sentence("He was therefore cursed and became Satan.", 0, 1, 0.9, 0.9)
    assert texts(choose_quotes([first, second], RULES)) == [[first.text, second.text]]


def test_the_neighbour_must_stand_in_the_same_paragraph():
    first = sentence("Iblis alone refused to bow to the new man.", 0, 0, 0.2, 0.2, "p1")
    second = sentence("He was therefore cursed and became Satan.", 0, 1, 0.9, 0.9, "p2")
    assert texts(choose_quotes([first, second], RULES)) == [[second.text]]


def test_a_question_is_quoted_only_where_everything_asks():
    asked = sentence("What is karma-yoga in a single word?", 0, 0, 1.0, 1.0)
    told = sentence("Karma-yoga is work without a claim.", 1, 0, 0.2, 0.2)
    assert texts(choose_quotes([asked, told], RULES)) == [[told.text]]
    assert nearest_sentences([asked, told], RULES) == [told.text]
    assert texts(choose_quotes([asked], RULES)) == [[asked.text]]


def test_a_question_before_its_answer_comes_along():
    asked = sentence("What is karma-yoga in a single word?", 0, 0, 1.0, 1.0)
    told = sentence("It is work without a claim on fruit.", 0, 1, 0.9, 0.9)
    assert texts(choose_quotes([asked, told], RULES)) == [[asked.text, told.text]]


def test_nothing_is_quoted_from_fragments():
    assert choose_quotes([sentence("Yes."), sentence("26th September, 1893", 0, 1)], RULES) == ()


sentences = st.lists(
    st.builds(
        sentence,
        st.text(alphabet="abc he.?", min_size=1, max_size=60),
        st.integers(0, 5),
        st.integers(0, 8),
        st.floats(-1, 1),
        st.floats(0, 1),
        st.sampled_from(["p1", "p2"]),
    ),
    unique_by=lambda s: (s.passage, s.position),
    max_size=40,
)


@given(sentences)
def test_an_answer_keeps_its_limits_and_quotes_nothing_but_the_evidence(evidence):
    quotes = choose_quotes(evidence, RULES)
    shown = [one for quote in quotes for one in quote.sentences]
    assert len(shown) <= RULES.max_sentences
    assert len({quote.passage for quote in quotes}) <= RULES.max_sources
    assert len(set(shown)) == len(shown)
    assert set(shown) <= set(evidence)
    for quote in quotes:
        positions = [one.position for one in quote.sentences]
        assert positions == list(range(positions[0], positions[0] + len(positions)))


def test_the_lead_finishes_its_thought():
    lead = sentence("The first to speak is the blind king.", 0, 0, 0.9, 0.9)
    after = sentence("He asks Sañjaya what the armies did.", 0, 1, 0.1, 0.1)
    apart = sentence("Bows were made of horn in those days.", 0, 2, 0.1, 0.1)
    assert texts(choose_quotes([lead, after, apart], RULES)) == [[lead.text, after.text]]


def test_what_follows_the_lead_goes_on_by_one_sentence():
    lead = sentence("Karma-yoga is work without a claim.", 0, 0, 0.95, 0.95)
    blind = sentence("The king of that city could not see the field.", 1, 0, 0.9, 0.9)
    told = sentence("He sits in the palace and hears of it.", 1, 1, 0.1, 0.1)
    more = sentence("He asks but one question of them.", 1, 2, 0.1, 0.1)
    assert texts(choose_quotes([lead, blind, told, more], RULES)) == [[lead.text], [blind.text, told.text]]


def test_what_the_next_sentence_takes_back_is_quoted_with_it_or_not_at_all():
    lead = sentence("Karma-yoga is work without a claim.", 0, 0, 0.95, 0.95)
    said = sentence("People say it tells us not to care.", 1, 0, 0.9, 0.9)
    denied = sentence("It cannot mean that at all.", 1, 1, 0.1, 0.1)
    assert texts(choose_quotes([lead, said, denied], RULES)) == [[lead.text], [said.text, denied.text]]
    assert texts(choose_quotes([lead, said, denied], replace(RULES, max_sentences=2))) == [[lead.text]]


def test_the_lead_ends_before_a_question():
    lead = sentence("The first to speak is the blind king.", 0, 0, 0.9, 0.9)
    after = sentence("But what does he ask of his charioteer?", 0, 1, 0.1, 0.1)
    assert texts(choose_quotes([lead, after], RULES)) == [[lead.text]]


def test_a_question_that_holds_the_readers_answer_does_not_lead():
    told = sentence("Karma-yoga is work without a claim.", 0, 0, 0.7, 0.7)
    asked = replace(sentence("Is karma-yoga work without a wage?", 1, 0, 1.0, 1.0), answers=1.0)
    assert texts(choose_quotes([told, asked], RULES))[0] == [told.text]


def test_a_definition_leads_where_one_is_asked_for():
    aside = sentence("One's own dharma is better than another's.", 0, 0, 0.7, 1.0)
    told = Sentence(1, 0, (0, 30), "Dharma is what upholds the world.", 0.6, 1.0, 0.5, "p1", defines=True)
    assert texts(choose_quotes([aside, told], RULES))[0] == [told.text]


def test_of_the_direct_sentences_the_one_with_the_readers_answer_leads():
    first = sentence("Karma-yoga is work without a claim.", 0, 0, 0.9, 0.9)
    answer = replace(sentence("It was first taught in the third chapter.", 1, 0, 0.88, 0.88), answers=0.7)
    far = replace(sentence("The river was wide and slow that year.", 2, 0, 0.1, 0.1), answers=0.9)
    assert texts(choose_quotes([first, answer, far], RULES)) == [[answer.text], [first.text]]
    unread = replace(answer, answers=0.0)
    assert texts(choose_quotes([first, unread, far], RULES)) == [[first.text], [answer.text]]


def test_a_definition_leads_before_the_readers_answer():
    told = replace(sentence("Dharma is what upholds the world.", 0, 0, 0.9, 0.9), defines=True)
    answer = replace(sentence("One's own dharma is better than another's.", 1, 0, 0.99, 0.99), answers=1.0)
    assert texts(choose_quotes([answer, told], RULES))[0] == [told.text]
