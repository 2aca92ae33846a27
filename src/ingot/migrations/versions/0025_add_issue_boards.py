"""Add issue boards."""

from ingot.migrations.plain import run_statements

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
