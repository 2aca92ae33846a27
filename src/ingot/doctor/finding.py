"""A finding of a check."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One problem, and whether it was repaired."""

    sentence: str
    repaired: bool = False
