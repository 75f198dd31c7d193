"""What a refusal shows of what came close."""

from uuid import UUID

from chat.answering.domain.evidence.evidence import Abstention, Reason
from chat.answering.domain.evidence.pool import Candidate
from chat.answering.domain.evidence.quotation import EvidenceSentence
from chat.answering.payloads import nearest_moments, refusal_event
from corpus.domain.passage import Passage


def passage(n, text, address=""):
    return Passage(
        chunk_id=UUID(int=n), source_id=UUID(int=1), kind="library", address=address or f"a:{n}", title="T",
        text=text, content_hash=str(n), ordinal=n,
    )  # fmt: skip


def nearest(*passages, sentences=()):
    candidates = tuple(Candidate(each, 0.01) for each in passages)
    return [
        moment["quote"] for moment in nearest_moments(Abstention(Reason.UNANSWERABLE, candidates, tuple(sentences)))
    ]


def read(index, text, start=0, similarity=0.5):
    return EvidenceSentence(index, 0, (start, start + len(text)), text, similarity)


def test_the_same_text_or_address_is_shown_once():
    moments = nearest(
        passage(1, "The tree lives long."),
        passage(2, "THE TREE lives long."),
        passage(3, "It is a banyan.", "a:1"),
        passage(4, "It has roots."),
    )
    assert moments == ["The tree lives long.", "It has roots."]


def test_a_passage_is_shown_by_its_nearest_statement_and_not_at_all_where_it_only_asks():
    asked, told = "How long does it live?", "It lives long."
    both = [read(0, asked, similarity=0.9), read(0, told, len(asked) + 1)]
    assert nearest(passage(1, f"{asked} {told}"), sentences=both) == [told]
    assert nearest(passage(1, asked), sentences=[read(0, asked)]) == []
    assert nearest(passage(1, f"{asked} Who knows?")) == []
    assert nearest(passage(1, f"{asked} {told}")) == [f"{asked} {told}"]


def test_a_place_that_is_free_goes_to_the_next_passage():
    same = [passage(n, "The tree lives long.") for n in range(1, 5)]
    other = [passage(n, f"It has {n} roots.") for n in range(5, 9)]
    candidates = tuple(Candidate(each, 0.01) for each in (*same, *other))
    event = refusal_event(Abstention(Reason.UNANSWERABLE, candidates), "searching 1 lecture")
    assert [moment["quote"] for moment in event.nearest] == [
        "The tree lives long.",
        "It has 5 roots.",
        "It has 6 roots.",
    ]
