from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.evidence.quotation import (
    EvidenceSentence,
    QuotationRules,
    choose_quotes,
    closest_quote,
    nearest_sentences,
)

RULES = QuotationRules()
SHORT = replace(RULES, lead_words=1, more_words=1, within=0.6)


def sentence(text, passage=0, position=0, similarity=0.5, paragraph="p1"):
    start = position * 1000
    return EvidenceSentence(passage, position, (start, start + len(text)), text, similarity, 0.0, paragraph)


def texts(quotes):
    return [[sentence.text for sentence in quote.sentences] for quote in quotes]


def test_the_closest_sentence_leads():
    weak = sentence("The river was wide and slow that year.", 0, 0, 0.3)
    strong = sentence("Karma-yoga is work without a claim on its fruit.", 1, 0, 0.9)
    assert texts(choose_quotes([weak, strong], RULES)) == [[strong.text]]


def test_a_sentence_between_close_neighbours_goes_before_one_that_stands_alone():
    alone = sentence("The river was wide and slow that year.", 0, 0, 0.60)
    beside = sentence("Farmers along the bank waited for it.", 1, 0, 0.55)
    among = sentence("Water rose over the lower fields again.", 1, 1, 0.56)
    lead = choose_quotes([alone, beside, among], RULES)[0]
    assert lead.sentences[lead.lead] == among


def test_a_sentence_that_points_back_brings_its_neighbour():
    first = sentence("Iblis alone refused to bow to the new man.", 0, 0, 0.2)
    second = sentence("He was therefore cursed and became Satan.", 0, 1, 0.9)
    quote = choose_quotes([first, second], SHORT)[0]
    assert (texts([quote]), quote.lead) == ([[first.text, second.text]], 1)


def test_the_neighbour_must_stand_in_the_same_paragraph():
    first = sentence("Iblis alone refused to bow to the new man.", 0, 0, 0.2, "p1")
    second = sentence("He was therefore cursed and became Satan.", 0, 1, 0.9, "p2")
    assert texts(choose_quotes([first, second], RULES)) == [[second.text]]


def test_a_question_is_quoted_only_where_everything_asks():
    asked = sentence("What is karma-yoga in a single word?", 0, 0, 1.0)
    told = sentence("Karma-yoga is work without a claim.", 1, 0, 0.2)
    assert texts(choose_quotes([asked, told], RULES)) == [[told.text]]
    assert nearest_sentences([asked, told], RULES) == [told.text]
    assert texts(choose_quotes([asked], RULES)) == [[asked.text]]


def test_a_question_before_its_answer_comes_along():
    asked = sentence("What is karma-yoga in a single word?", 0, 0, 1.0)
    told = sentence("It is work without a claim on fruit.", 0, 1, 0.9)
    assert texts(choose_quotes([asked, told], SHORT)) == [[asked.text, told.text]]


def test_a_clip_ends_before_a_question_whose_reply_does_not_fit():
    lead = sentence("The first to speak is the blind king.", 0, 0, 0.9)
    after = sentence("But what does he ask of his charioteer?", 0, 1, 0.1)
    assert texts(choose_quotes([lead, after], RULES)) == [[lead.text]]


def test_nothing_is_quoted_from_fragments():
    fragments = [sentence("Yes."), sentence("26th September, 1893", 0, 1)]
    assert choose_quotes(fragments, RULES) == ()
    assert closest_quote(fragments, RULES) is None


def test_a_clip_goes_on_while_the_next_sentence_leans_on_it():
    lead = sentence("The first to speak is the blind king.", 0, 0, 0.9)
    after = sentence("He asks Sañjaya what the armies did.", 0, 1, 0.1)
    apart = sentence("Bows were made of horn in those days.", 0, 2, 0.1)
    assert texts(choose_quotes([lead, after, apart], replace(SHORT, lead_words=5, max_clips=1))) == [
        [lead.text, after.text]
    ]


def test_a_clip_goes_on_to_what_it_announces():
    lead = sentence("There are three kinds of giver here.", 0, 0, 0.9)
    after = sentence("One gives when asked for it.", 0, 1, 0.1)
    assert texts(choose_quotes([lead, after], SHORT)) == [[lead.text, after.text]]


def test_a_clip_grows_towards_its_closer_neighbour():
    before = sentence("Bows were made of horn in those days.", 0, 0, 0.1)
    lead = sentence("Karma-yoga is work without a claim.", 0, 1, 0.9)
    after = sentence("Work of that kind leaves no mark.", 0, 2, 0.6)
    assert texts(choose_quotes([before, lead, after], replace(RULES, lead_words=10))) == [[lead.text, after.text]]


def test_what_the_next_sentence_takes_back_is_quoted_with_it_or_not_at_all():
    lead = sentence("Karma-yoga is work without a claim.", 0, 0, 0.95)
    said = sentence("People say it tells us not to care.", 1, 0, 0.8)
    denied = sentence("It cannot mean that at all.", 1, 1, 0.1)
    assert texts(choose_quotes([lead, said, denied], SHORT)) == [[lead.text], [said.text, denied.text]]
    assert texts(choose_quotes([lead, said, denied], replace(SHORT, max_words=10))) == [[lead.text]]


def test_a_definition_leads_where_one_is_asked_for():
    aside = sentence("One's own dharma is better than another's.", 0, 0, 0.7)
    told = replace(sentence("Dharma is what upholds the world.", 1, 0, 0.6), defines=True)
    assert texts(choose_quotes([aside, told], RULES))[0] == [told.text]


def test_a_further_clip_is_shown_only_while_it_answers_nearly_as_well():
    lead = sentence("Karma-yoga is work without a claim.", 0, 0, 0.9)
    near = sentence("Work done so asks for no wage.", 1, 0, 0.8)
    far = sentence("The river was wide and slow that year.", 2, 0, 0.1)
    assert texts(choose_quotes([lead, near, far], RULES)) == [[lead.text], [near.text]]


def test_what_two_overlapping_passages_share_is_shown_once():
    lead = sentence("Karma-yoga is work without a claim.", 0, 5, 0.9)
    again = replace(lead, passage=1, position=0)
    assert texts(choose_quotes([lead, again], RULES)) == [[lead.text]]


def test_the_closest_passage_is_one_clip():
    told = [
        sentence("The river was wide and slow that year again.", 0, 0, 0.3),
        sentence("Nobody crossed it.", 0, 1, 0.2),
    ]
    clip = closest_quote(told, RULES)
    assert clip is not None
    assert texts([clip]) == [[sentence.text for sentence in told]]


sentences = st.lists(
    st.builds(
        sentence,
        st.text(alphabet="abc he.?", min_size=1, max_size=60),
        st.integers(0, 5),
        st.integers(0, 8),
        st.floats(-1, 1),
        st.sampled_from(["p1", "p2"]),
    ),
    unique_by=lambda s: (s.passage, s.position),
    max_size=40,
)


@given(sentences)
def test_an_answer_keeps_its_limits_and_quotes_nothing_but_the_evidence(evidence):
    quotes = choose_quotes(evidence, RULES)
    shown = [sentence for quote in quotes for sentence in quote.sentences]
    assert len(quotes) <= RULES.max_clips
    assert len({sentence.text for sentence in shown}) <= len(shown)
    assert set(shown) <= set(evidence)
    for quote in quotes:
        assert quote.words <= RULES.max_words
        assert len({sentence.paragraph for sentence in quote.sentences}) == 1
        positions = [sentence.position for sentence in quote.sentences]
        assert positions == list(range(positions[0], positions[0] + len(positions)))
        assert 0 <= quote.lead < len(quote.sentences)
