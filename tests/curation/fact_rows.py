"""Facts and contradictions of these tests."""

from curation.models import Contradiction, Fact


def a_fact(content, address, evidence, **more):
    values = {"subject": "the banyan", "predicate": "lives for", "object": content}
    return Fact.objects.create(**{**values, "content": content, "address": address, "evidence": evidence, **more})


def a_contradiction(one, other, **more):
    return Contradiction.objects.create(one=one, other=other, **more)
