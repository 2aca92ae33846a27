"""Writing migrations: `python -m ingot.migrations.writing baseline`, or `… migration "add the colour of labels"`."""

import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from ingot import app as composition
from ingot.kit import schema
from ingot.kit.db import Database, metadata

SEPARATOR = "\n--;\n"
DIALECTS: dict[str, Any] = {"sqlite": sqlite, "postgresql": postgresql}


def statements(dialect: str) -> Iterator[str]:
    """Everything that makes this version's schema, in the order in which it is run."""
    target = DIALECTS[dialect].dialect()
    for table in metadata.sorted_tables:
        yield str(CreateTable(table).compile(dialect=target)).strip()
        for index in sorted(table.indexes, key=lambda one: str(one.name)):
            yield str(CreateIndex(index).compile(dialect=target)).strip()
    yield from schema.extra_statements(dialect)


def baseline_text(dialect: str) -> str:
    """The baseline of a database as the file that holds it."""
    lines = SEPARATOR.join(re.sub(r"[ \t]+\n", "\n", statement.strip()) for statement in statements(dialect))
    return f"{lines}\n"


def baseline_file(dialect: str) -> Path:
    """Where the baseline of a database is kept."""
    return schema.MIGRATIONS / "versions" / f"0001_baseline.{dialect}.sql"


def write_baseline() -> None:
    """Write the statements of both databases anew."""
    for dialect in DIALECTS:
        baseline_file(dialect).write_text(baseline_text(dialect))
        sys.stdout.write(f"{baseline_file(dialect)}\n")


def write_migration(message: str) -> None:
    """Compare a database at the newest revision with the declared tables, and write the difference."""
    from alembic import command
    from alembic.config import Config

    number = f"{int(schema.revisions()[-1]) + 1:04}"
    with tempfile.TemporaryDirectory() as folder:
        db = Database(f"sqlite:///{folder}/now.db")
        with db.write() as tx:
            schema.upgrade(tx)
            config = Config()
            config.set_main_option("script_location", str(schema.MIGRATIONS))
            config.set_main_option("file_template", "%%(rev)s_%%(slug)s")
            config.attributes["connection"] = tx
            command.revision(config, message=message, autogenerate=True, rev_id=number)
        db.dispose()


if __name__ == "__main__":
    composition.load_features()
    if sys.argv[1:] == ["baseline"]:
        write_baseline()
    elif sys.argv[1:2] == ["migration"] and len(sys.argv) == 3:
        write_migration(sys.argv[2])
    else:
        sys.exit('ingot: say `baseline`, or `migration "what changes"`.')
