"""Every address and every action of admin, as every role: expected.txt says what comes of it, and who may read what."""

from collections import Counter

import pytest
from django.contrib import admin

from chat.api.openapi import document
from tests.permissions import site as marked
from tests.permissions.admin_pages import every_action, forged_action, model_cells, offered_actions, page_names
from tests.permissions.asking import Asking
from tests.permissions.routes import REDIRECT, all_routes, objects_of
from tests.permissions.tables import actions, letters, rows, section
from tests.permissions.words import WordsRead

PLACES = {place for _, place, _ in section("words")} - {"socket", "tools"}
REFUSALS = {"401", "403", "404", "login"}
LED_ON = f"admin:{REDIRECT}"  # to a row's page, or from an address without its last slash


def test_every_address_is_in_the_table_and_no_other(record_property):
    record_property("addresses", len(all_routes()))
    there = set(all_routes()) - page_names() - {LED_ON}
    listed = {row.name for row in rows("pages")} - page_names()
    assert there - listed == set(), "not in expected.txt"
    assert listed - there == set(), "only in expected.txt"
    documented = {path.strip("/").split("/")[0] for path in document()["paths"]}
    assert documented == {"api", "v1"}  # of the document's own paths, tests/api/test_documented.py


def test_every_model_and_action_of_admin_is_in_the_table_and_no_other():
    assert {row[0] for row in section("models")} == {model._meta.label_lower for model in admin.site._registry}
    deletable = {(model, "delete_selected") for model, _ in actions()}
    assert set(actions()) - deletable == set(every_action()) - deletable


@pytest.mark.parametrize("role", marked.ROLES)
def test_each_role_gets_what_the_table_says_and_reads_no_word_that_is_hidden_from_it(site, role, record_property):
    faults, read, cells = [], WordsRead(role), Counter()
    asking = Asking(site, objects_of(site))
    for row in rows("pages"):
        answered = asking.ask(role, row.name, row.method, row.thing)
        what = f"{row.method} {row.name} ({row.thing})"
        if answered.status != row.statuses[role]:
            faults.append(f"{what}: {answered.status}, not {row.statuses[role]}")
        if answered.writes and answered.status in REFUSALS:
            faults.append(f"{what}: refused, but wrote {answered.writes[0][:80]}")
        read.read(answered.body, answered.area, what)
        cells["pages"] += 1
    for cell in model_cells(site[role], letters(role)):
        faults += filter(None, [cell.fault])
        read.read(cell.body, cell.area, cell.what)
        cells["models"] += 1
    faults += read.faults(*PLACES)
    record_property("cells", dict(cells))
    assert not faults, "\n".join(faults)


def test_actions_are_offered_to_whom_the_table_says_and_a_forged_one_changes_nothing(site, record_property):
    wrong, forged = [], 0
    marked.shared_token(site["reader"])
    for role in marked.ROLES[3:]:
        allowed = letters(role)
        offered = set(offered_actions(site[role], allowed))
        may = {key for key, roles in actions().items() if role in roles}
        wrong += [f"{role} is offered {key}" for key in offered - may]
        wrong += [f"{role} is not offered {key}" for key in may - offered]
        for label, action in actions().keys() - may:
            forged += 1
            if writes := forged_action(site[role], label, action):
                wrong.append(f"{role} took {label} {action}: {writes[0][:80]}")
    record_property("cells", {"actions": forged + sum(map(len, actions().values()))})
    assert not wrong, "\n".join(wrong)
