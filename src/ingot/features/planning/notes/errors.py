"""Refusals of notes."""

from ingot.kit.errors import BadRequest, Unsaved


def invalid_note(**problems: list[str]) -> Unsaved:
    """`400 Bad request - Note {:note=>["can't be blank"]}`."""
    return Unsaved(f"{BadRequest.line} - Note", problems)
