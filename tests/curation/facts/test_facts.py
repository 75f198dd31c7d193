import itertools
from datetime import date

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from corpus.domain.scope import Scope
from corpus.models import Chunk, Collection, Lecture
from corpus.selectors import passages, passages_at
from corpus.services.publishing import source_withdraw
from curation.facts.selectors import facts_as_of, open_contradictions, standing_facts, where_it_stands
from curation.lookup import curation_version
from curation.models import Contradiction, Fact
from curation.services import CannotSupersede, contradiction_resolve, fact_supersede
from tests.curation.fact_rows import a_contradiction, a_fact
from tests.factories import a_collection, a_lecture, a_work

pytestmark = pytest.mark.django_db

OLD = "The banyan lives for five thousand years."
YOUNG = "No banyan is older than three hundred years."


@pytest.fixture
def talks():
    """Two talks that disagree about the banyan."""
    return a_lecture(OLD, "It is a tree.", key="old"), a_lecture(YOUNG, key="young")


@pytest.fixture
def sides(talks):
    return a_fact("Five thousand years.", "old:1", OLD), a_fact("Three hundred years.", "young:1", YOUNG)


def everything():
    return passages(list(Chunk.objects.values_list("pk", flat=True)))


def facts_now():
    return [fact for fact, _ in standing_facts(everything())]


def test_facts_stand_in_the_passages_that_have_their_words_the_surest_first(sides):
    surest = a_fact("It is a tree.", "old:2", "It is a tree.")
    Fact.objects.filter(pk=sides[0].pk).update(confidence=0.5)
    Fact.objects.filter(pk=sides[1].pk).update(confidence=0.7)
    found = standing_facts(everything())
    assert [fact for fact, _ in found] == [surest, sides[1], sides[0]]
    assert all(fact.evidence in passage.text for fact, held in found for passage in held)


def test_a_verse_within_a_range_is_an_address_of_its_section():
    a_work({"BG 2.47": "The work is yours by right."}, key="gita")
    fact = a_fact("Work is a right.", "bg 2:47", "yours by right")
    assert facts_now() == [fact]


def test_a_source_that_changes_disarms_its_facts_and_deletes_nothing(sides):
    a_lecture(OLD.replace("five", "six"), key="old")
    assert facts_now() == [sides[1]]
    assert where_it_stands(sides[0]) is None
    assert Fact.objects.count() == 2
    a_lecture(OLD, key="old")
    assert set(facts_now()) == set(sides)


def test_words_elsewhere_than_at_the_address_do_not_count(talks):
    a_fact("A tree.", "young:1", "It is a tree.")
    assert facts_now() == []


def test_a_withdrawn_source_disarms_its_facts(talks, sides):
    source_withdraw(source=Lecture.objects.get(key="old"))
    assert facts_now() == [sides[1]]


def test_a_superseded_fact_is_out(sides):
    sides[0].valid_to = date(2020, 1, 2)
    fact_supersede(fact=sides[0], by=sides[1])
    sides[0].refresh_from_db()
    assert (sides[0].superseded_by, sides[0].valid_to) == (sides[1], date(2020, 1, 2))
    assert facts_now() == [sides[1]]


def test_a_superseded_fact_ends_where_the_one_that_holds_instead_begins(talks):
    old = a_fact("Five thousand years.", "old:1", "five", valid_from=date(2020, 1, 1))
    new = a_fact("Six thousand years.", "young:1", "six", valid_from=date(2021, 4, 5))
    fact_supersede(fact=old, by=new)
    old.refresh_from_db()
    assert old.valid_to == date(2021, 4, 5)


@pytest.mark.parametrize("begins", [date(2019, 1, 1), date(2999, 1, 1)], ids=["before it", "one day"])
def test_a_fact_neither_ends_before_it_began_nor_one_day(talks, begins):
    old = a_fact("Five thousand years.", "old:1", "five", valid_from=date(2020, 1, 1))
    fact_supersede(fact=old, by=a_fact("Six thousand years.", "young:1", "six", valid_from=begins))
    old.refresh_from_db()
    assert old.valid_to == timezone.localdate()


def test_without_facts_it_is_one_query(talks, django_assert_num_queries):
    kept = everything()
    with django_assert_num_queries(1):
        assert open_contradictions(fact for fact, _ in standing_facts(kept)) == []


def test_chains_have_one_link_whatever_order_they_are_made_in(talks):
    for order in itertools.permutations([(0, 1), (1, 2), (2, 3)]):
        facts = [a_fact(f"{number}", "old:1", OLD) for number in range(4)]
        for fact, by in order:
            fact_supersede(fact=Fact.objects.get(pk=facts[fact].pk), by=Fact.objects.get(pk=facts[by].pk))
        ends = Fact.objects.filter(pk__in=[fact.pk for fact in facts[:3]]).values_list("superseded_by", flat=True)
        assert set(ends) == {facts[3].pk}


def test_what_was_merged_into_a_fact_is_replaced_with_it(talks):
    merged = a_fact("Five thousand.", "old:1", OLD, superseded_because="equivalent", valid_from=date(2021, 6, 7))
    kept, later = a_fact("Five thousand years.", "old:1", OLD), a_fact("Three hundred years.", "young:1", YOUNG)
    Fact.objects.filter(pk=merged.pk).update(superseded_by=kept)
    Fact.objects.filter(pk=later.pk).update(valid_from=date(2021, 4, 5))
    fact_supersede(fact=kept, by=Fact.objects.get(pk=later.pk))
    ends = {kept.pk: date(2021, 4, 5), merged.pk: date(2021, 6, 7)}  # none ends before it begins
    for fact in Fact.objects.filter(pk__in=ends):
        assert (fact.superseded_by, fact.superseded_because, fact.valid_to) == (later, "replaced", ends[fact.pk])
    assert standing_facts(passages_at("old:1")) == []  # its words are no evidence of what replaced it
    assert list(facts_as_of(date(2023, 1, 1))) == [later]


def test_a_chain_never_loops(sides):
    one, other = sides
    fact_supersede(fact=one, by=other)
    with pytest.raises(CannotSupersede, match="is itself superseded by"):
        fact_supersede(fact=other, by=one)
    with pytest.raises(CannotSupersede, match="cannot supersede itself"):
        fact_supersede(fact=other, by=other)
    with pytest.raises(IntegrityError), transaction.atomic():
        Fact.objects.filter(pk=other.pk).update(superseded_by=other.pk)


def test_a_loop_over_several_facts_is_refused_however_its_links_were_written(talks):
    first, second, third = (a_fact(f"{number}", "old:1", OLD) for number in range(3))
    Fact.objects.filter(pk=first.pk).update(superseded_by=second)  # not by the service, which would flatten the chain
    Fact.objects.filter(pk=second.pk).update(superseded_by=third)
    with pytest.raises(CannotSupersede, match="is itself superseded by"):
        fact_supersede(fact=third, by=Fact.objects.get(pk=first.pk))
    third.refresh_from_db()
    assert third.superseded_by is None


def test_what_holds_instead_of_a_fact_is_not_deleted(sides):
    fact_supersede(fact=sides[0], by=sides[1])
    with pytest.raises(ProtectedError):
        sides[1].delete()


def test_a_pair_is_linked_once_in_either_order_and_no_fact_with_itself(sides):
    a_contradiction(*sides)
    for pair in (sides, sides[::-1], (sides[0], sides[0])):
        with pytest.raises(IntegrityError), transaction.atomic():
            a_contradiction(*pair)


def test_an_open_contradiction_is_found_from_either_side_until_it_is_settled(sides):
    linked = a_contradiction(*sides)
    assert open_contradictions([sides[0]]) == open_contradictions([sides[1]]) == [linked]
    assert contradiction_resolve(contradiction=linked, decision="in_context")
    assert open_contradictions(sides) == []
    assert set(facts_now()) == set(sides)
    assert not contradiction_resolve(contradiction=linked, decision="in_context")


@pytest.mark.parametrize("kept", [0, 1])
def test_the_authoritative_side_supersedes_the_other(sides, kept):
    linked = a_contradiction(*sides)
    contradiction_resolve(contradiction=linked, decision=("first", "second")[kept])
    linked.refresh_from_db()
    assert linked.resolved_at
    assert facts_now() == [sides[kept]]
    assert Fact.objects.get(pk=sides[1 - kept].pk).superseded_by == sides[kept]


def test_superseding_settles_what_was_open_between_the_two_alone(sides):
    third = a_fact("A tree.", "old:2", "It is a tree.")
    between, beyond = a_contradiction(*sides), a_contradiction(sides[1], third)
    fact_supersede(fact=sides[0], by=sides[1])
    assert open_contradictions([*sides, third]) == [beyond]
    assert Contradiction.objects.get(pk=between.pk).resolved_at


def test_a_contradiction_with_a_superseded_side_says_nothing(sides):
    third = a_fact("A tree.", "old:2", "It is a tree.")
    a_contradiction(*sides)
    fact_supersede(fact=sides[1], by=third)
    assert open_contradictions([sides[0]]) == []


def test_where_a_fact_stands_is_looked_for_within_the_scope(talks):
    secret = a_lecture("The vault is empty.", key="vault", collection=a_collection("vault"))
    fact = a_fact("The vault is empty.", "vault:1", "The vault is empty.")
    assert where_it_stands(fact).source_id == secret.pk
    others = tuple(Collection.objects.exclude(key="vault").values_list("pk", flat=True))
    assert where_it_stands(fact, Scope(collections=others)) is None


def test_every_change_of_a_fact_or_contradiction_is_another_version_in_one_query(sides, django_assert_num_queries):
    seen = [curation_version()]

    def is_new():
        seen.append(curation_version())
        return seen[-1] not in seen[:-1]

    linked = a_contradiction(*sides)
    assert is_new()
    linked.note = "Two measurements."
    linked.save()
    assert is_new()
    contradiction_resolve(contradiction=linked, decision="in_context")
    assert is_new()
    fact_supersede(fact=sides[0], by=sides[1])
    assert is_new()
    sides[0].delete()
    assert is_new()
    with django_assert_num_queries(1):
        assert not is_new()
