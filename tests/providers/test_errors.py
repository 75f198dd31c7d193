import pytest

from lectorium.providers import errors


@pytest.mark.parametrize(
    ("status", "said", "fault", "retryable"),
    [
        (400, "unknown parameter", "refused_request", False),
        (400, "This model's maximum context length is 1024 tokens", "context_too_long", False),
        (401, "Incorrect API key", "wrong_key", False),
        (403, "no access to this model", "wrong_key", False),
        (404, "The model `x` does not exist", "model_missing", False),
        (408, "", "too_slow", True),
        (413, "", "context_too_long", False),
        (429, "slow down", "rate_limited", True),
        (429, '{"code": "insufficient_quota"}', "refused_request", False),
        (500, "", "server_fault", True),
        (503, "busy", "server_fault", True),
        (504, "", "too_slow", True),
    ],
)
def test_a_status_and_the_words_with_it_say_what_happened_and_whether_asking_again_may_help(
    status, said, fault, retryable
):
    error = errors.error_of_status(status, said)
    assert (error.fault, error.retryable) == (fault, retryable)


def test_every_error_has_a_word_of_its_own():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    assert len({kind.fault for kind in kinds}) == len(kinds)


def test_the_seconds_to_wait_are_kept():
    assert errors.error_of_status(429, "slow down", retry_after=7.0).retry_after == 7.0
