"""A finding of a check."""

import msgspec

REPAIR = "ingot doctor --repair"
RESTORE = "ingot restore BACKUP"  # into a new data folder or database


class Finding(msgspec.Struct, frozen=True):
    """One problem and whether it was repaired, or something worth knowing."""

    sentence: str
    repaired: bool = False
    is_note: bool = False  # a figure, not a problem
    command: str = ""  # what an administrator types to repair it; empty where the sentence says what to do
