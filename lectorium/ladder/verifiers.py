"""Every verifier by name, with the store for its result on the hand-written bar."""

from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.db import DatabaseError

from lectorium.ladder.judging import RungJudge
from lectorium.ladder.selectors import serving
from lectorium.ladder.services import judge_bar_record
from lectorium.providers import registry
from lectorium.providers.errors import ModelMissing, PermanentError
from lectorium.providers.handwritten_bar import HandwrittenBar
from lectorium.providers.protocols import Verifier

JOB = "verify"


@dataclass(frozen=True, slots=True)
class NamedVerifier:
    """A verifier, and a function that stores its bar and returns where, or "" if it cannot be stored."""

    verifier: Verifier
    store: Callable[[HandwrittenBar], str]


def named_verifier(name: str = "") -> NamedVerifier:
    """The verifier of a name: one of registry.verifier, or PROVIDER:MODEL for a chat model as judge.

    A chat model is asked by its enabled `verify` row, otherwise with defaults. Without a name: the local verifier in
    use.
    Raises ModelMissing where there is none or the ladder cannot be read.
    """
    if not registry.is_chat_name(name):
        verifier = registry.verifier(name)
        return NamedVerifier(verifier, lambda bar: _store_with_weights(verifier, bar))
    registry.check_chat_name(name)
    try:
        judge = RungJudge(serving(JOB, name))
    except (DatabaseError, LookupError) as error:
        raise ModelMissing(f"{name!r}: its row of the ladder cannot be read ({error})") from error
    return NamedVerifier(judge, lambda bar: _store_with_ladder(judge, bar))


def _store_with_weights(verifier: Verifier, bar: HandwrittenBar) -> str:
    from lectorium.providers.cross_encoder import CrossEncoder

    if not isinstance(verifier, CrossEncoder):
        return ""
    try:
        path = verifier.store_bar(bar)
    except OSError as error:
        raise PermanentError(f"{error.filename} cannot be written: {error.strerror}") from error
    return str(path.relative_to(settings.BASE_DIR) if path.is_relative_to(settings.BASE_DIR) else path)


def _store_with_ladder(judge: RungJudge, bar: HandwrittenBar) -> str:
    judge_bar_record(model=judge.served.model, prompt=judge.served.prompt, bar=bar)
    return "the ladder"
