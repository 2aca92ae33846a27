"""Rename the stored options of waiting merges."""

from ingot.migrations.plain import run_statements

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
