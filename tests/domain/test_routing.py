"""A model's label is taken where it is one; everything else is a single hop without flags."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.answering.domain.query.routing import FLAGS, SCHEMA, RoutingDecision, parse_route
from chat.answering.domain.question import Route


def label(name, **flags):
    return json.dumps({"label": name, **flags})


@pytest.mark.parametrize("route", [route for route in Route if route is not Route.ADDRESS])
def test_each_label_is_read(route):
    assert route.value in SCHEMA["properties"]["label"]["enum"]
    assert parse_route(label(route.value)).route is route


def test_an_address_that_the_rules_did_not_find_is_searched_for():
    assert parse_route(label("address")).route is Route.SINGLE_HOP


def test_flags_are_recorded_where_they_are_true_and_nothing_else():
    assert parse_route(label("multi_hop", false_premise=True, injection=False)).flags == ("false_premise",)
    assert parse_route(label("single_hop", injection=True, false_premise="true", joke=True)).flags == ("injection",)


@pytest.mark.parametrize(
    "text",
    ["", "multi_hop", "I think it is multi_hop.", "[]", '"multi_hop"', label("dance", injection=True), "[" * 9999],
)
def test_whatever_else_it_says_is_a_single_hop(text):
    assert parse_route(text) == RoutingDecision(Route.SINGLE_HOP, ())


@given(
    st.recursive(
        st.text() | st.integers() | st.booleans() | st.none(),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["label", *FLAGS]) | st.text(), inner),
    )
)
def test_any_json_gives_a_label(value):
    routed = parse_route(json.dumps(value))
    assert isinstance(routed.route, Route)
    assert set(routed.flags) <= set(FLAGS)
