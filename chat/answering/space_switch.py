"""Choosing the embedding space that answers: only a calibrated one, because no threshold means anything in another."""

from chat.answering.calibrations import calibration_of
from corpus.models import EmbeddingSpace
from corpus.services.spaces import space_switch


def switch_space(space: EmbeddingSpace) -> None:
    """Let the space answer from the next question on. Raises Uncalibrated, or SpaceRefused where it is not ready."""
    calibration_of(space)
    space_switch(space=space)
