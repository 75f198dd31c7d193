from chat.answering.domain.modes import second_looks
from chat.answering.domain.question import Mode, Route


def test_auto_mode_looks_again_only_for_a_question_in_several_parts():
    assert second_looks(Mode.AUTO, Route.MULTI_HOP) == 1
    assert second_looks(Mode.AUTO, Route.SINGLE_HOP) == 0


def test_instant_mode_never_looks_again_and_thinking_does_for_any_question():
    assert [second_looks(Mode.INSTANT, route) for route in Route] == [0] * len(Route)
    assert [second_looks(Mode.THINKING, route) for route in Route] == [3] * len(Route)
