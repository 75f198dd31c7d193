import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.domain.decompose import MAX_PARTS, bridges, refinements, sub_questions


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("What is the difference between karma and bhakti?", ("karma", "bhakti")),
        ("Compare the path of work with the path of knowledge.", ("the path of work", "the path of knowledge")),
        ("Did both Rama and Sita speak of the sea?", ("Rama speak of the sea", "Sita speak of the sea")),
        ("Who taught Arjuna, and why did he lay down his bow?", ("Who taught Arjuna", "why did he lay down his bow")),
        ("What is bhakti?", ()),
        ("Who carried bread and water to the hermit?", ()),
        ("Who was it?", ()),
    ],
)  # fmt: skip
def test_what_is_compared_or_joined_is_searched_by_itself(text, parts):
    assert sub_questions(text) == parts


@given(st.text(max_size=300))
def test_no_text_breaks_it_and_parts_are_few(text):
    assert len(sub_questions(text)) <= MAX_PARTS


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
