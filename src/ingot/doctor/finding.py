"""A finding of a check."""

import msgspec


class Finding(msgspec.Struct, frozen=True):
    """One problem, and whether it was repaired."""

    sentence: str
    repaired: bool = False
