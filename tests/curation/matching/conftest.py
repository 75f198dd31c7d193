from tests.chat.conftest import corpus

__all__ = ["corpus"]
