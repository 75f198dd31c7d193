from collections import Counter

import pytest
from django.core.management import call_command

from evaluation.escape.second_asking import RETURNS, again_section, ask_again, what_returned
from lectorium.asking import sift
from lectorium.threads import in_thread
from tests.evaluation.golden_rows import FRUITS, IBLIS, PENICILLIN

SAME, OTHER, REFUSED = RETURNS


def quotes(*texts):
    return [{"text": text, "lead": text} for text in texts]


@pytest.mark.parametrize(
    ("again", "returns"),
    [
        ((), REFUSED),
        (("Patience is a craft.",), OTHER),
        (("Patience is a craft.", "the lamp BURNS"), SAME),
        (("It is said that the lamp burns.",), SAME),
        (("…",), OTHER),
    ],
)
def test_returned_answers_are_classified_by_their_words(again, returns):
    assert what_returned(quotes("The lamp burns."), quotes(*again)) == returns


async def test_an_answer_disappears_with_its_only_passage(corpus):
    counted = []
    assert await ask_again([IBLIS, FRUITS, PENICILLIN], lambda: counted.append(1)) == Counter({REFUSED: 2})
    assert len(counted) == 3


async def test_the_same_words_are_found_in_another_lecture(corpus, tmp_path):
    said = (
        "# Another Talk\n\nThe teacher spoke of angels that day. Only Iblis refused to bow to the newly made man. Then "
        "he spoke of trees, of rivers and of the long road home."
    )
    (tmp_path / "again.md").write_text(said, encoding="utf-8")
    await in_thread(lambda: call_command("import_lectures", str(tmp_path / "again.md"), verbosity=0))
    await in_thread(lambda: call_command("index", verbosity=0))
    first = await sift(IBLIS["question"])
    chunk = first["quotes"][0]["chunk"]
    left = await sift(IBLIS["question"], leaving=[chunk])
    assert chunk not in {quote["chunk"] for quote in left["quotes"]}
    assert what_returned(first["quotes"][:1], left["quotes"]) == SAME


def test_the_page_gives_each_share():
    text = "\n".join(again_section(Counter({SAME: 1, REFUSED: 3})))
    assert f"| {SAME} | 1/4 = 0.25" in text
    assert f"| {OTHER} | 0/4 = 0.00" in text
