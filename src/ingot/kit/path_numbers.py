"""Numbers in the paths of pages, which Starlette would read at any length."""

from starlette.convertors import IntegerConvertor, register_url_convertor


class _RowNumber(IntegerConvertor):
    """A number that a row can have; what is longer names nothing."""

    regex = "[0-9]{1,18}"


def bound_path_numbers() -> None:
    """Let `{id:int}` match no number that the database, or Python itself, refuses to take."""
    register_url_convertor("int", _RowNumber())
