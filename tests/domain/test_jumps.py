from audit.domain.jumps import JumpRules, is_jump
from audit.domain.metrics import Share

RULES = JumpRules()
USUAL = [Share(2, 100)] * 28


def test_a_day_far_above_the_days_before_is_a_jump():
    assert is_jump(Share(12, 100), USUAL, RULES)
    assert not is_jump(Share(5, 100), USUAL, RULES), "its interval reaches down to twice the usual share"


def test_few_turns_and_a_short_past_raise_nothing():
    assert not is_jump(Share(29, 29), USUAL, RULES)
    assert not is_jump(Share(100, 100), USUAL[:6], RULES)
    assert not is_jump(Share(100, 100), [Share(0, 0)] * 28, RULES)


def test_a_single_failure_after_none_is_no_jump():
    assert not is_jump(Share(1, 100), [Share(0, 100)] * 28, RULES)
    assert is_jump(Share(10, 100), [Share(0, 100)] * 28, RULES)
