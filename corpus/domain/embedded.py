"""What is embedded of a chunk, and the hashes that detect changes."""

import hashlib


def text_to_embed(text: str, situation: str = "") -> str:
    """The chunk's text, preceded by the model's context sentence if there is one.

    Heading and context line are left out, so that a new title does not require embedding again.
    """
    return f"{situation}\n{text}" if situation else text


def embedded_hash(text: str, situation: str = "") -> str:
    return hashlib.sha256(text_to_embed(text, situation).encode()).hexdigest()


def content_hash(kind: str, address: str, text: str) -> str:
    """SHA-256 in hex of the kind, address and text: what a citation depends on."""
    return hashlib.sha256("\x1f".join((kind, address, text)).encode()).hexdigest()
