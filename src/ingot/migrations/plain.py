"""Migrations as plain statements: one file per database beside the revision that runs it."""

from pathlib import Path

from alembic import op

SEPARATOR = "\n--;\n"


def run_statements(revision: str) -> None:
    """Run the statements that belong to a revision (its `__file__`) on the database at hand."""
    tx = op.get_bind()
    for statement in Path(revision).with_suffix(f".{tx.dialect.name}.sql").read_text().split(SEPARATOR):
        if statement.strip():
            tx.exec_driver_sql(statement)
