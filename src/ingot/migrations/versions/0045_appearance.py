"""Appearance."""

from ingot.migrations.plain import run_statements

revision = "0045"
down_revision = "0044"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
