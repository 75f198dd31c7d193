import random

from hypothesis import given
from hypothesis import strategies as st

from training.build.clips import LONGEST, RIVALS, clip_rows
from training.rows import PassageRow, ReadingRow

TEXT = "The king left. He built a wall. It stood for ten years. Then the river rose. Nobody came back. Grass grew."


def row(answer):
    start = TEXT.index(answer) if answer else 0
    span = (start, start + len(answer)) if answer else None
    return ReadingRow("written", "train", "How long did the wall stand?", [PassageRow(TEXT, None, bool(answer), span)])


@given(seed=st.integers(0, 500), answer=st.sampled_from(["The king left", "ten years", "rose. Nobody", "Grass grew."]))
def test_only_one_clip_contains_the_answers_sentences(seed, answer):
    (made,) = clip_rows(row(answer), random.Random(seed))
    own, *rivals = made.passages
    assert own.text[slice(*own.answer_span)] == answer
    assert own.answerable
    assert 1 <= len(rivals) <= RIVALS
    assert all(not rival.answerable and rival.text in TEXT for rival in rivals)
    assert not any(part in rival.text for rival in rivals for part in answer.split(". "))
    assert all(passage.text.count(".") <= LONGEST for passage in rivals)


def test_the_near_miss_is_the_clip_with_most_words_of_the_question():
    made = [next(clip_rows(row(""), random.Random(seed))) for seed in range(20)]
    assert all("He built a wall." in clip.passages[0].text for clip in made)
    assert {clip.passages[0].answerable for clip in made} == {False}


def test_a_passage_of_one_sentence_gives_no_clips():
    single = ReadingRow("written", "train", "Who left?", [PassageRow("The king left.", True, True, (0, 8))])
    assert not list(clip_rows(single, random.Random(1)))
