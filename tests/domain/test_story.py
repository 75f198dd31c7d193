from dataclasses import replace
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.evidence.quotation import EvidenceSentence, QuotationRules
from chat.answering.domain.evidence.story import whole_story

RULES = QuotationRules()
TALK = UUID(int=1)


def sentence(text, paragraph="p1", position=0, passage=0):
    start = position * 1000
    return EvidenceSentence(passage, position, (start, start + len(text)), text, 0.5, 0.0, paragraph)


def told(*texts, paragraph="p1", first=0, passage=0):
    return [sentence(text, paragraph, first + place, passage) for place, text in enumerate(texts)]


def source_of(told):
    return TALK, told.passage


def shown(story):
    return [said.text for quote in story for said in quote.sentences]


POTTER = (
    "Let me tell you about a potter.",
    "Her name was Gowramma.",
    "One month most of the pots were cracked.",
    "Then she went to look at the sand.",
)


def test_a_story_is_told_from_the_beginning_of_its_paragraph():
    before = told("Nothing here is about pots.", paragraph="p0")
    potter = told(*POTTER, first=1)
    after = told("So much for failure.", paragraph="p2", first=5)
    (story,) = whole_story(potter[2], [*before, *potter, *after], RULES, source_of)
    assert shown([story]) == list(POTTER)
    assert story.sentences[story.lead].text == POTTER[2]


def test_what_follows_belongs_to_it_where_it_names_somebody_of_the_story():
    potter = told(*POTTER)
    reason = told("I have thought about Gowramma for years.", "She listened to every crack.", paragraph="p2", first=4)
    (story,) = whole_story(potter[2], [*potter, *reason], RULES, source_of)
    assert shown([story])[-2:] == [said.text for said in reason]


def test_what_leads_to_it_belongs_to_it_where_it_begins_with_a_word_that_points_back():
    opening = told("An old teacher lived by the sea.", paragraph="p0")
    rest = told("He never raised his voice.", "One day he shouted.", first=1)
    (story,) = whole_story(rest[1], [*opening, *rest], RULES, source_of)
    assert shown([story]) == [said.text for said in (*opening, *rest)]


def test_a_story_that_runs_over_two_passages_is_one_clip_and_nothing_is_told_twice():
    first = told(*POTTER[:3])
    second = told(*POTTER[2:], passage=1)
    story = whole_story(second[1], [*first, *second], RULES, source_of)
    assert shown(story) == list(POTTER)
    assert [(quote.passage, quote.continues, quote.lead) for quote in story] == [(0, False, None), (1, True, 0)]


def test_a_story_that_a_talk_comes_back_to_is_told_where_its_person_is_introduced():
    potter = told(*POTTER)
    mention = told("You will remember Gowramma, with her cracked pots.", paragraph="p9", passage=1)
    (story,) = whole_story(mention[0], [*mention, *potter], RULES, source_of)
    assert shown([story]) == list(POTTER)


def test_a_paragraph_too_long_for_a_story_gives_a_part_around_its_lead():
    long = told(*(f"Then the potter did the thing number {place} of the many." for place in range(40)))
    (story,) = whole_story(long[20], long, RULES, source_of)
    assert long[20] in story.sentences
    assert RULES.lead_words < story.words <= 2 * RULES.max_words


def test_a_part_whose_lead_is_taken_back_by_a_sentence_that_does_not_fit_is_not_told():
    lead = sentence("The potter was the happiest woman of the whole town.")
    denial = sentence(f"But that is {'so very ' * 130}wrong.", position=1)
    assert whole_story(lead, [lead, denial], RULES, source_of) == ()


def test_a_paragraph_of_another_source_is_not_taken_for_the_same():
    here, there = told(*POTTER), told("A man of the same page.", passage=1)
    story = whole_story(here[0], [*here, *there], RULES, lambda said: (UUID(int=said.passage), 0))
    assert shown(story) == list(POTTER)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(POTTER)), min_size=1), st.data())
def test_a_story_has_its_lead_and_no_sentence_twice(parts, data):
    sentences = [sentence(text, paragraph, place) for place, (paragraph, text) in enumerate(sorted(parts))]
    sentences = [replace(said, text=f"{said.text} {said.position}") for said in sentences]
    lead = data.draw(st.sampled_from(sentences))
    story = whole_story(lead, sentences, RULES, source_of)
    assert shown(story).count(lead.text) == 1
    assert len(shown(story)) == len(set(shown(story)))
    assert [quote.continues for quote in story] == [False] + [True] * (len(story) - 1)
