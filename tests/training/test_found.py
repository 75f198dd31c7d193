import random

from hypothesis import given
from hypothesis import strategies as st

from training.build.clips import CLIP_WORDS
from training.build.found import NEAR_MISSES, RIVALS, _found_row, _Sentence
from training.rows import PassageRow, ReadingRow
from training.text import sentence_spans

HOME = "The king left. He built a wall. It stood for ten years. Then the river rose. Nobody came back. Grass grew."
AWAY = "Another wall stood for a day. It was of sand. The sea took it. Children laughed. They built it again at once."


def row(answer):
    start = HOME.index(answer) if answer else 0
    span = (start, start + len(answer)) if answer else None
    return ReadingRow("written", "train", "How long did the wall stand?", [PassageRow(HOME, None, bool(answer), span)])


def likest(*, spoken, own_first):
    own = [_Sentence(HOME, place, spoken) for place in range(len(sentence_spans(HOME)))]
    other = [_Sentence(AWAY, place, spoken) for place in range(len(sentence_spans(AWAY)))]
    return own + other if own_first else other + own


@given(seed=st.integers(0, 300), spoken=st.booleans(), own_first=st.booleans())
def test_only_the_first_clip_holds_the_answer(seed, spoken, own_first):
    found = likest(spoken=spoken, own_first=own_first)
    for made in _found_row(row("ten years"), found, random.Random(seed)):
        answer, *rivals = made.passages
        assert answer.text[slice(*answer.answer_span)] == "ten years"
        assert len(rivals) <= RIVALS
        assert sum(rival.text in HOME for rival in rivals) <= 1
        assert not any("ten years" in rival.text for rival in rivals)
        assert all(len(passage.text.split()) <= CLIP_WORDS for passage in made.passages)


@given(seed=st.integers(0, 300))
def test_a_lectures_clip_that_is_likelier_than_the_answer_may_answer_too(seed):
    before, after = likest(spoken=True, own_first=False), likest(spoken=True, own_first=True)
    for made in _found_row(row("ten years"), before, random.Random(seed)):
        assert {rival.answerable for rival in made.passages[1:] if rival.text in AWAY} <= {None}
    for made in _found_row(row("ten years"), after, random.Random(seed)):
        assert {rival.answerable for rival in made.passages[1:] if rival.text in AWAY} <= {False}


@given(seed=st.integers(0, 300))
def test_near_misses_are_clips_that_surely_do_not_answer(seed):
    for made in _found_row(row(""), likest(spoken=True, own_first=True), random.Random(seed)):
        assert 1 <= len(made.passages) <= NEAR_MISSES
        assert {passage.answerable for passage in made.passages} == {False}
