"""The first schema, as plain statements per database; `make baseline` writes them from the declared tables."""

from pathlib import Path

from alembic import op

revision = "0001"
down_revision = None

SEPARATOR = "\n--;\n"


def upgrade() -> None:
    """Make everything."""
    tx = op.get_bind()
    file = Path(__file__).with_name(f"0001_baseline.{tx.dialect.name}.sql")
    for statement in file.read_text().split(SEPARATOR):
        if statement.strip():
            tx.exec_driver_sql(statement)
