"""Passes imported pins and notes to the app that stores them, which corpus does not import."""

from collections.abc import Callable

from corpus.importers.drafts import ImportRefused, NoteDraft, PinDraft

Receiver = Callable[[PinDraft | NoteDraft], bool]

_receivers: list[Receiver] = []


def register_receiver(receiver: Receiver) -> None:
    """Register the service that stores pins and notes; it returns whether an entry is new."""
    _receivers[:] = [receiver]


def hand_over(draft: PinDraft | NoteDraft) -> bool:
    """Store a pin or note and return whether it is new. Raises ImportRefused where no service is registered."""
    if not _receivers:
        raise ImportRefused("is a pin or note, which the curation app stores; install it")
    return _receivers[0](draft)
