"""The big reader orders the best clips, without a database."""

from dataclasses import replace
from uuid import UUID

from chat.answering.domain.evidence.pool import Candidate, Hit
from chat.answering.domain.evidence.quotation import EvidenceSentence
from chat.answering.domain.evidence.selection import DiscardRules
from chat.answering.domain.question import QueryPlan, Route
from chat.answering.passages.judge import judge_clips
from corpus.domain.passage import Passage
from corpus.indexing.terms import TermStatistics
from lectorium.providers.protocols import Reading

RULES = DiscardRules()


class ReaderOf:
    """Reads by a table of relevance and answerability for each text."""

    name = "table"

    def __init__(self, **known):
        self.known = known
        self.asked = []

    def read(self, question, passages):
        self.asked.append((question, list(passages)))
        return [Reading(*self.known[passage.split()[0]], None) for passage in passages]

    def rerank(self, question, passages):
        return [reading.relevance for reading in self.read(question, passages)]


def sentence(text, passage, similarity):
    return EvidenceSentence(passage, 0, (0, len(text)), text, similarity, paragraph=f"p{passage}")


def of_kind(kind, *lanes):
    passage = Passage(UUID(int=1), UUID(int=1), kind, "a:1", "T", "Text.", "1", 1)
    return Candidate(passage, 0.01, {lane: Hit(passage.chunk_id, lane, 1, 1.0) for lane in lanes})


def judge(sentences, reader, *, question="What is karma-yoga?", rules=RULES, kinds=("lecture", "lecture"), **more):
    plan = QueryPlan(Route.SINGLE_HOP, question, **more)
    terms = TermStatistics(100, {"karma-yoga": 2, "work": 60, "bow": 1, "horn": 1})
    return judge_clips(plan, [of_kind(kind) for kind in kinds], sentences, terms, reader, rules)


NEAR = sentence("Bows were made of horn in those days.", 0, 0.9)
RIGHT = sentence("Karma-yoga is work without a claim on fruit.", 1, 0.7)


def test_the_clip_that_the_reader_finds_most_relevant_comes_first():
    reader = ReaderOf(Bows=(0.1, 0.2), Karma_yoga=(0, 0), **{"Karma-yoga": (2.0, 0.8)})
    judged = judge([NEAR, RIGHT], reader)
    assert [clip.sentences[0] for clip in judged.clips] == [RIGHT, NEAR]
    assert judged.answerability == 0.8
    assert reader.asked == [("What is karma-yoga?", [NEAR.text, RIGHT.text])]


def test_between_equals_the_first_ranking_decides():
    reader = ReaderOf(Bows=(1.0, 0.5), **{"Karma-yoga": (1.0, 0.5)})
    judged = judge([NEAR, RIGHT], reader)
    assert judged.clips[0].sentences == (NEAR,)


def test_a_reader_judges_no_more_clips_than_it_may():
    reader = ReaderOf(Bows=(1.0, 0.5), **{"Karma-yoga": (1.0, 0.5)})
    judge([NEAR, RIGHT], reader, rules=DiscardRules(judged=1, judged_most=1))
    assert [len(texts) for _, texts in reader.asked] == [1]


def test_more_clips_are_judged_where_none_of_the_first_answers_and_one_is_promising():
    reader = ReaderOf(Bows=(1.0, 0.4), **{"Karma-yoga": (9.0, 0.8)})
    judged = judge([NEAR, RIGHT], reader, rules=DiscardRules(judged=1, judged_most=2))
    assert [texts for _, texts in reader.asked] == [[NEAR.text], [RIGHT.text]]
    assert judged.answerability == 0.8


def test_a_reader_that_is_sure_of_a_clip_reads_no_more():
    reader = ReaderOf(Bows=(1.0, 0.5))
    judge([NEAR, RIGHT], reader, rules=DiscardRules(judged=1, judged_most=2))
    assert len(reader.asked) == 1


def test_where_no_clip_is_promising_no_more_are_judged():
    reader = ReaderOf(Bows=(1.0, 0.05))
    judge([NEAR, RIGHT], reader, rules=DiscardRules(judged=1, judged_most=2))
    assert [len(texts) for _, texts in reader.asked] == [1]


def test_without_a_sentence_that_can_lead_nothing_is_judged():
    assert judge([sentence("Yes.", 0, 0.9)], ReaderOf(), question="What?").clips == ()


def test_a_definition_comes_first_where_one_is_asked_for():
    reader = ReaderOf(Bows=(3.0, 0.5), **{"Karma-yoga": (1.0, 0.5)})
    defining = replace(RIGHT, defines=True)
    judged = judge([NEAR, defining], reader)
    assert judged.clips[0].sentences == (defining,)


def test_a_verse_leads_where_verses_or_this_one_are_asked_for():
    reader = ReaderOf(Bows=(3.0, 0.5), **{"Karma-yoga": (2.0, 0.5)})
    verse_first = ("verse", "lecture")
    assert judge([NEAR, RIGHT], reader, kinds=verse_first).clips[0].sentences == (RIGHT,)
    asked = judge([NEAR, RIGHT], reader, kinds=verse_first, wanted_kinds=frozenset({"verse"}))
    assert asked.clips[0].sentences == (NEAR,)
    named = [of_kind("verse", "address"), of_kind("lecture")]
    plan = QueryPlan(Route.SINGLE_HOP, "What is karma-yoga?")
    assert judge_clips(plan, named, [NEAR, RIGHT], TermStatistics(1, {}), reader, RULES).clips[0].sentences == (NEAR,)


def test_rare_words_of_the_question_said_together_come_before_a_passage_that_says_none():
    reader = ReaderOf(Bows=(-3.0, 0.2), **{"Karma-yoga": (2.0, 0.8)})
    asked = {"question": "Did she say that bows are horn?", "words": ("bow", "horn", "work")}
    judged = judge([NEAR, RIGHT], reader, **asked)
    assert [clip.sentences[0] for clip in judged.clips] == [NEAR]
    assert judged.answerability == 0.2
    common = judge([NEAR, RIGHT], reader, question="Is a bow work?", words=("bow", "work"))
    assert (common.clips[0].sentences, common.answerability) == ((RIGHT,), 0.8)
