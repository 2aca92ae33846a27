"""Optional parts of projects in an answer."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Showing:
    """Optional parts of the full form."""

    permissions: str | None = None  # single | list
    statistics: bool = False
    custom_attributes: bool = False
    license: bool = False
    import_error: bool = False
