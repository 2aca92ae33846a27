"""Optional parts of projects in an answer."""

import msgspec


class Showing(msgspec.Struct, frozen=True):
    """Optional parts of the full form."""

    permissions: str | None = None  # single | list
    statistics: bool = False
    custom_attributes: bool = False
    license: bool = False
    import_error: bool = False
    topics: bool = True
    shares: bool = True
