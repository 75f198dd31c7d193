"""The small corpus that questions are asked of."""

from tests.chat.conftest import corpus

__all__ = ["corpus"]
