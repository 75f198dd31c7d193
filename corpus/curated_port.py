"""The port by which the pins and notes of an imported library reach whoever keeps them; corpus does not know who."""

from collections.abc import Callable

from corpus.importers.drafts import ImportRefused, NoteDraft, PinDraft

Receiver = Callable[[PinDraft | NoteDraft], bool]

_receivers: list[Receiver] = []


def register_receiver(receiver: Receiver) -> None:
    """Name the service that keeps pins and notes; it returns whether an entry is new. Called once at start-up."""
    _receivers[:] = [receiver]


def hand_over(draft: PinDraft | NoteDraft) -> bool:
    """Have a pin or note kept, and return whether it is new. Raises ImportRefused where nobody keeps them."""
    if not _receivers:
        raise ImportRefused("is a pin or note, and nothing here keeps those; install the curation app")
    return _receivers[0](draft)
