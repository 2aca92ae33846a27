"""Ids in texts."""

DIGITS = 18  # what fits every id column


def parse_id(text: str) -> int | None:
    """The number; None where the text is none, or one that no row can have."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= DIGITS else None
