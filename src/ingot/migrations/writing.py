"""Writing migrations: `python -m ingot.migrations.writing "add the colour of labels"`.

The whole schema of the newest revision is kept beside the migrations (`schema.sqlite.sql`, `schema.postgresql.sql`);
what the declared tables make of it now is the next one.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from ingot import app as composition
from ingot.kit import schema
from ingot.kit.db import metadata
from ingot.migrations.plain import SEPARATOR

DIALECTS: dict[str, Any] = {"sqlite": sqlite, "postgresql": postgresql}
_NAMED = re.compile(r"CREATE (TABLE|(?:UNIQUE )?INDEX) (\w+)")
REVISION = '''"""{sentence}."""

from ingot.migrations.plain import run_statements

revision = "{number}"
down_revision = "{before}"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
'''


def declared(dialect: str) -> list[str]:
    """Everything that makes this version's schema, in the order in which it is run."""
    return [re.sub(r"[ \t]+\n", "\n", statement.strip()) for statement in _statements(dialect)]


def _statements(dialect: str) -> Iterator[str]:
    target = DIALECTS[dialect].dialect()
    for table in metadata.sorted_tables:
        yield str(CreateTable(table).compile(dialect=target))
        for index in sorted(table.indexes, key=lambda one: str(one.name)):
            yield str(CreateIndex(index).compile(dialect=target))
    yield from schema.extra_statements(dialect)


def schema_file(dialect: str) -> Path:
    """Where the schema of the newest revision is kept."""
    return schema.MIGRATIONS / f"schema.{dialect}.sql"


def stored_statements(dialect: str) -> list[str]:
    """The statements of the newest revision's schema."""
    return [statement.strip() for statement in schema_file(dialect).read_text().split(SEPARATOR)]


def changes(before: list[str], after: list[str]) -> Iterator[str]:
    """What leads from one schema to the other; what only a person can decide stands there as a remark."""
    old, new = _by_name(before), _by_name(after)
    for name, statement in old.items():
        if new.get(name) != statement and " INDEX " in statement.split("(")[0]:
            yield f"DROP INDEX {name}"
        elif name not in new:
            yield f"-- by hand: {name} is gone"
    for name, statement in new.items():
        if old.get(name) == statement:
            continue
        if name in old and statement.startswith("CREATE TABLE"):
            yield from _table_changes(name, old[name], statement)
        else:
            yield statement


def _by_name(statements: list[str]) -> dict[str, str]:
    result = {}
    for statement in statements:
        match = _NAMED.match(statement)
        result[match[2] if match else statement] = statement
    return result


def _table_changes(name: str, old: str, new: str) -> Iterator[str]:
    before, after = ([line.strip().rstrip(",") for line in text.splitlines()[1:-1]] for text in (old, new))
    for line in before:
        if line not in after:
            yield f"-- by hand: {name} had {line}"
    for line in after:
        if line not in before:
            by_hand = line.startswith(("CONSTRAINT", "PRIMARY KEY", "UNIQUE", "CHECK", "FOREIGN KEY"))
            yield f"-- by hand: {name} has {line}" if by_hand else f"ALTER TABLE {name} ADD COLUMN {line}"


def write_migration(sentence: str) -> None:
    """Write the next revision, and keep the schema that it leads to."""
    before = schema.revisions()[-1]
    number = f"{int(before) + 1:04}"
    name = re.sub(r"\W+", "_", sentence.lower()).strip("_")
    place = schema.MIGRATIONS / "versions" / f"{number}_{name}.py"
    for dialect in DIALECTS:
        after = declared(dialect)
        place.with_suffix(f".{dialect}.sql").write_text(
            SEPARATOR.join(changes(stored_statements(dialect), after)) + "\n"
        )
        schema_file(dialect).write_text(SEPARATOR.join(after) + "\n")
    place.write_text(REVISION.format(sentence=sentence[:1].upper() + sentence[1:], number=number, before=before))
    sys.stdout.write(f"{place}: read its statements before you commit them.\n")


if __name__ == "__main__":
    composition.load_features()
    if len(sys.argv) != 2:
        sys.exit('ingot: say what changes: "add the colour of labels"')
    write_migration(sys.argv[1])
