"""What commands print: a table for people, JSON for programs."""

import sys
from collections.abc import Mapping, Sequence

import msgspec


def show_rows(rows: Sequence[Mapping[str, object]], columns: Sequence[str], *, as_json: bool) -> None:
    """A list: some columns as a table, or everything as JSON."""
    if as_json:
        show_json(rows)
    elif rows:
        show_table(columns, [[row.get(column) for column in columns] for row in rows])
    else:
        sys.stdout.write("No results.\n")


def show_one(row: Mapping[str, object], *, as_json: bool) -> None:
    """One record: a line for each value that is there, or JSON."""
    if as_json:
        show_json(row)
        return
    width = max(map(len, row), default=0)
    for name, value in row.items():
        if value not in (None, "", [], {}):
            sys.stdout.write(f"{name:{width}}  {_text(value)}\n")


def show_table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A table; nothing where there are no rows."""
    if not rows:
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(*heads)
    for row in rows:
        table.add_row(*(escape(_text(value)) for value in row))
    # Wide enough for whole lines when the output goes to another program.
    Console(width=None if sys.stdout.isatty() else 240).print(table)


def show_json(value: object) -> None:
    """JSON that people can read too."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
