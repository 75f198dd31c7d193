from collections import Counter

from evaluation.escape.counterfactual import claims, counterfactual_section, run_counterfactual
from evaluation.escape.material import Document, Material, passage_of


def passage(name, text):
    return passage_of("lecture", name, name, text)


GOLD = passage("lamp", "The lamp of the mind burns steadily where no wind of desire blows.")
OTHER = passage("river", "Rivers reach the sea by many ways and lose their names in it.")
TWIN = passage("twin", "The lamp of the mind burns steadily where no wind of desire blows.")


def material(*others):
    return Material({"lectures": [Document("lectures", "What burns steadily?", (GOLD,), others)]}, {})


async def test_a_claim_disappears_with_its_passage():
    assert await run_counterfactual(material(OTHER), 1, lambda: None) == Counter({"gone": 1})


async def test_a_claim_supported_by_another_passage_is_cited_to_it():
    assert await run_counterfactual(material(OTHER, TWIN), 1, lambda: None) == Counter({"cited elsewhere": 1})


def test_the_first_note_of_a_claim_is_its_passage():
    (claim,) = claims(material(OTHER), 1)
    assert (claim.text, claim.notes) == (GOLD.text, (GOLD, OTHER))


def test_the_page_counts_every_fate():
    text = "\n".join(counterfactual_section(Counter({"gone": 3, "cited elsewhere": 1})))
    assert "| gone | 3/4 = 0.75" in text
    assert "| standing without a source | 0/4 = 0.00" in text
