"""What an examination found."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """One sentence about something that is wrong, and whether it was put right."""

    sentence: str
    repaired: bool = False
