"""Where a paragraph stands on its lecture's page."""


def paragraph_anchor(address: str) -> str:
    """Return the anchor of a paragraph by its address: p- and what follows the last colon."""
    return f"p-{address.rsplit(':', 1)[-1]}"
