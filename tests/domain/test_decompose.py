import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.query.decompose import MAX_PARTS, bridges, refinements, sub_questions


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("What is the difference between karma and bhakti?", ("karma", "bhakti")),
        ("Compare the path of work with the path of knowledge.", ("the path of work", "the path of knowledge")),
        ("Did both Rama and Sita speak of the sea?", ("Did Rama speak of the sea", "Did Sita speak of the sea")),
        ("What do both Rama and the king say?", ("What do Rama say", "What do the king say")),
        ("Who is praised by both Rama and Sita?", ("Who is praised by Rama", "Who is praised by Sita")),
        ("Are both Iblis and Nine Devils here?", ("Are Iblis here", "Are Nine Devils here")),
        ("How does karma differ from bhakti?", ("karma", "bhakti")),
        ("How is work different from duty?", ("work", "duty")),
        ("Is knowledge better than devotion?", ("knowledge", "devotion")),
        ("Karma vs bhakti", ("Karma", "bhakti")),
        ("What is karma yoga vs. bhakti yoga?", ("karma yoga", "bhakti yoga")),
        ("Work versus rest: which is praised?", ("Work", "rest")),
        ("Compare the Gita and the Bible on forgiveness.", ("the Gita on forgiveness", "the Bible on forgiveness")),
        ("How do the Gita and James differ?", ()),
        ("What treatment is completely different from yoga?", ()),
        ("How did the unequal treatment of kings versus sages in the old city end?", ()),
        ("What did Dr. Smith say of St. Paul to Prof. J. Royce?", ()),
        ("who was he really? what did he teach", ("who was he really", "what did he teach")),
        ("Who was St. Paul? What did he teach?", ("Who was St. Paul", "What did he teach")),
        ("Who taught Arjuna, and why did he lay down his bow?", ("Who taught Arjuna", "why did he lay down his bow")),
        ("What is bhakti?", ()),
        ("Who carried bread and water to the hermit?", ()),
        ("Who was it?", ()),
    ],
)  # fmt: skip
def test_what_is_compared_or_joined_is_searched_by_itself(text, parts):
    assert sub_questions(text) == parts


WORDS = st.sampled_from(
    "both and vs. versus differ from better than compare difference between is did on about why Dr. karma , ; ?".split()
)


@given(st.text(max_size=300) | st.lists(WORDS, max_size=20).map(" ".join))
def test_no_text_breaks_it_and_parts_are_few_and_never_empty(text):
    parts = sub_questions(text)
    assert len(parts) in range(2, MAX_PARTS + 1) if parts else parts == ()
    assert all(part.strip(" ,;?.") for part in parts)


def test_a_bridge_is_a_name_the_question_lacks():
    found = ["The banyan was planted by Ashoka near Bodh Gaya.", "It lives long, said Arjuna."]
    assert bridges("Who planted what Arjuna saw?", found) == (
        "Who planted what Arjuna saw? Ashoka",
        "Who planted what Arjuna saw? Bodh Gaya",
    )


def test_nothing_is_searched_twice():
    asked, found = "Who planted it?", ["It was planted by Ashoka."]
    first = refinements(asked, found, [asked])
    assert first == ["Who planted it? Ashoka", "Who planted it? It was planted by Ashoka."]
    assert refinements(asked, found, [asked, *first]) == []


def test_what_would_lie_beyond_an_embedders_tokens_is_not_added():
    assert refinements("karma " * 100, ["He met Narada there."], [])
    assert refinements("karma " * 200, ["He met Narada there."], []) == []
