"""What an answer shows of projects beyond their plain fields."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Showing:
    """What the full form has beyond its plain fields in an answer."""

    permissions: str | None = None  # single | list
    statistics: bool = False
    custom_attributes: bool = False
    license: bool = False
    import_error: bool = False
