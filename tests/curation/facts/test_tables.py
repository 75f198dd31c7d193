"""Facts as tables: a row is checked beside its source, and its editor sees what becomes of it before it is stored."""

from datetime import timedelta

import pytest
import tablib
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from curation.facts.tables import COLUMNS, MOST_ROWS, FactResource
from curation.models import Fact, FactCheck
from curation.tables import SafeCSV
from lectorium.providers import registry
from tests.curation.facts.readers import SupportingVerifier, UnreachableVerifier
from tests.factories import a_collection, a_lecture

pytestmark = pytest.mark.django_db

GITA = "The Gita has eighteen chapters."


@pytest.fixture
def boss():
    a_lecture(GITA, "It is read in many lands.", key="talk")
    return User.objects.create_superuser("boss")


def row(**changed):
    values = dict.fromkeys(COLUMNS, "") | {
        "subject": "The Gita", "predicate": "has", "object": "eighteen chapters", "content": GITA, "address": "talk:1",
        "evidence": GITA,
    }  # fmt: skip
    return values | changed


def taken(by, *rows, dry_run=False):
    table = tablib.Dataset(*[each.values() for each in rows], headers=rows[0].keys())
    return FactResource().import_data(table, user=by, dry_run=dry_run)


def remarks(result):
    return [" ".join(found.remarks) for found in result.valid_rows()]


def test_a_row_that_its_source_says_is_stored_and_what_is_stored_already_is_told(boss):
    assert remarks(taken(boss, row())) == [""]
    fact = Fact.objects.get()
    assert (fact.content, fact.grounding, fact.author) == (GITA, "supported", "")
    assert remarks(taken(boss, row())) == ["Stored already."]
    assert Fact.objects.count() == 1


def test_what_a_source_does_not_say_is_left_out_row_by_row_and_the_rest_is_stored(boss):
    wrong = row(content="The Gita has twenty chapters.", object="twenty chapters")
    invented = row(content="The Gita was printed by Google.", object="Google")
    said = remarks(taken(boss, wrong, row(), invented))
    assert said[0].startswith("Left out: its source says otherwise (")
    assert said[1] == ""
    assert said[2].startswith("Left out: its source does not say this (")
    assert [fact.content for fact in Fact.objects.all()] == [GITA]
    verdicts = set(FactCheck.objects.values_list("verdict", "content"))
    assert verdicts == {
        ("contradicted", "The Gita has twenty chapters."), ("supported", GITA),
        ("not_supported", "The Gita was printed by Google."),
    }  # fmt: skip


def test_what_is_said_in_part_is_stored_in_the_words_of_its_source_with_a_remark(boss):
    registry.replace_model("verifier", SupportingVerifier(support=0.75))
    (said,) = remarks(taken(boss, row(content="The Gita has its chapters in books.")))
    assert said.startswith("Stored in its source's own words")
    fact = Fact.objects.get()
    assert (fact.content, fact.grounding, fact.confidence) == (GITA, "partial", 0.9)


def test_looking_stores_nothing(boss):
    assert remarks(taken(boss, row(), dry_run=True)) == [""]
    assert not Fact.objects.exists()
    assert not FactCheck.objects.exists()


def test_a_day_to_come_is_told(boss):
    begins = timezone.localdate() + timedelta(days=30)
    assert f"It begins on {begins}" in remarks(taken(boss, row(valid_from=str(begins))))[0]
    assert Fact.objects.get().valid_from == begins


@pytest.mark.parametrize(
    ("changed", "field", "said"),
    [
        ({"address": "nowhere:1"}, "address", "no passage at"),
        ({"evidence": "The Gita has many chapters."}, "evidence", "letter by letter"),
        ({"kind": "opinion"}, "holder", "whose is it"),
        ({"kind": "rumour"}, "kind", "is none of"),
        ({"object": " "}, "object", "is empty"),
        ({"address": "vault:1", "evidence": "The vault is empty."}, "address", "no passage at"),
    ],
)
def test_a_row_that_cannot_be_stored_is_named_with_its_field_and_nothing_is_stored(boss, changed, field, said):
    a_lecture("The vault is empty.", key="vault", collection=a_collection("vault", "restricted"))
    editor = User.objects.create_user("editor", is_staff=True)
    result = taken(editor, row(), row(**changed))
    (wrong,) = result.invalid_rows
    assert wrong.number == 2
    assert said in " ".join(wrong.field_specific_errors[field])


def test_a_file_with_other_columns_or_too_many_rows_is_refused(boss):
    for table, said in (
        (tablib.Dataset(["x"], headers=["colour"]), "no column “colour”"),
        (tablib.Dataset(["x"], headers=["content"]), "column “subject” is missing"),
        (tablib.Dataset(*[row().values()] * (MOST_ROWS + 1), headers=COLUMNS), "Split it into files"),
    ):
        result = FactResource().import_data(table, user=boss, dry_run=True)
        assert said in str(result.base_errors[0].error)
        assert (result.row_errors(), result.total_rows) == ([], 0)


@pytest.mark.parametrize(("policy", "stored"), [("block", None), ("tag", "unverified"), ("queue", "queued")])
def test_without_a_verifier_rows_are_refused_tagged_or_queued(boss, settings, policy, stored):
    settings.FACTS_UNVERIFIED = policy
    registry.replace_model("verifier", UnreachableVerifier())
    result = taken(boss, row())
    assert bool(result.base_errors) == (stored is None)
    assert not result.row_errors()
    assert list(Fact.objects.values_list("grounding", flat=True)) == ([stored] if stored else [])


def test_an_editor_sees_what_becomes_of_each_row_before_it_is_stored(client, boss):
    client.force_login(boss)
    rows = (row(), row(content="The Gita has twenty chapters.", object="twenty chapters"))
    table = SafeCSV().export_data(tablib.Dataset(*[each.values() for each in rows], headers=COLUMNS))
    file = SimpleUploadedFile("facts.csv", table.encode(), "text/csv")
    page = client.post(reverse("admin:curation_fact_import"), {"import_file": file, "format": "0"})
    assert "Row 2: Left out: its source says otherwise" in page.content.decode()
    assert not Fact.objects.exists()
    form = page.context["confirm_form"]
    client.post(reverse("admin:curation_fact_process_import"), form.initial)
    assert [fact.content for fact in Fact.objects.all()] == [GITA]
    told = client.post(reverse("admin:curation_fact_export"), {"format": "0", "resource": ""})
    assert GITA in told.content.decode()
