import pytest
from tests.chat.answering.test_follow_up_journeys import *
from tests.chat.answering.test_follow_up_journeys import samples


@pytest.mark.django_db(transaction=True)
async def test_probe(samples):
    def addr():
        return [
            (c.address, [p[2] for p in c.paragraphs])
            for c in Chunk.objects.filter(lecture__key__startswith="03").order_by("ordinal")
        ][-3:]

    print(await in_thread(addr))
    for l in open("/tmp/journeys.txt"):
        th = l.strip().split(" || ")
        if not l.strip():
            continue
        print("=" * 80)
        for j in await converse(*th):
            print("Q", j.question.text, "=>[", j.plan.follow_up, "]", j.standalone)
            print("   ", j.outcome, j.message, [c.address for c in j.citations])
            print("    ", shown(j)[:400])
