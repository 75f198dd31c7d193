"""What of a chunk is embedded, and what tells a changed chunk from an unchanged one."""

import hashlib


def text_to_embed(text: str, situation: str = "") -> str:
    """Return what is embedded for a chunk: its text, after the sentence in which a model situates it, where one does.

    Heading and context are not part of it: a new title embeds nothing again.
    """
    return f"{situation}\n{text}" if situation else text


def embedded_hash(text: str, situation: str = "") -> str:
    """Return the SHA-256 in hex of what is embedded."""
    return hashlib.sha256(text_to_embed(text, situation).encode()).hexdigest()


def content_hash(kind: str, address: str, text: str) -> str:
    """Return the SHA-256 in hex of what can be quoted and where it stands: what a citation stays true to."""
    return hashlib.sha256("\x1f".join((kind, address, text)).encode()).hexdigest()
