"""A finding of a check."""

import msgspec


class Finding(msgspec.Struct, frozen=True):
    """One problem and whether it was repaired, or something worth knowing."""

    sentence: str
    repaired: bool = False
    is_note: bool = False  # a figure, not a problem
