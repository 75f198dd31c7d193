"""Gives a site two facts from recorded lectures that contradict each other; run by `manage.py shell`."""

from corpus.models import Section
from curation.models import Contradiction, Fact

SAID = (
    ("evenness", "In BG 2.48 yoga is defined as evenness", "Work Without a Claim"),
    ("the whole plot", "Two people talk, one of them is in despair", "Two Armies, One Question"),
)


def a_side(object_, evidence, title):
    section = Section.objects.get(lecture__title=title, text__contains=evidence)
    content = f"“{title}” says that it is {object_}."
    values = {"subject": "the teaching", "predicate": "is", "object": object_, "evidence": evidence}
    return Fact.objects.create(**values, content=content, address=section.address)


Contradiction.objects.all().delete()
Fact.objects.update(superseded_by=None)
Fact.objects.all().delete()
one, other = (a_side(*said) for said in SAID)
print(Contradiction.objects.create(one=one, other=other, note="What the course is about.").pk)
