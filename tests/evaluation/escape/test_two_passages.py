from collections import Counter

import pytest

from evaluation.escape.two_passages import check_two_passages, read_claims, shares_of, two_passages_page
from lectorium.providers import registry
from lectorium.providers.protocols import Judgement

PASSAGES = ["The ashram of Kapila stands in Sagar.", "Sagar lies in the delta of the Ganges."]


class Sure:
    name = "sure"

    def verify(self, pairs):
        return [Judgement("supported", 0.95, 0.0, None) for _ in pairs]


def row(claim, label):
    return {"id": claim, "passages": PASSAGES, "claim": claim, "label": label, "kind": "chain"}


def test_forty_claims_follow_and_sixty_do_not_each_from_two_passages():
    rows = read_claims()
    assert Counter(row["label"] for row in rows) == {"follows": 40, "does_not_follow": 60}
    assert len({row["id"] for row in rows}) == len({row["claim"] for row in rows}) == 100
    assert all(len(set(row["passages"])) == 2 for row in rows)


@pytest.fixture
def sure():
    registry.replace_model("verifier", Sure())
    yield
    registry.replace_model("verifier", None)


async def test_what_is_shown_and_what_is_withheld_is_counted(sure):
    rows = [row("Sagar stands in the ashram of Kapila 40 times.", "does_not_follow"), row(PASSAGES[0], "follows")]
    found = await check_two_passages(rows, lambda: None)
    assert [claim.outcome for claim in found] == ["withheld", "supported"]
    assert [str(share).split(" ")[0] for share in shares_of(found).values()] == ["0/1", "1/1"]
    assert "| chain | no | 0 | 0 | 0 | 1 |" in "\n".join(two_passages_page(found, "sure"))
