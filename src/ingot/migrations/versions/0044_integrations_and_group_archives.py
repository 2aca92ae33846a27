"""Integrations and group archives."""

from ingot.migrations.plain import run_statements

revision = "0044"
down_revision = "0043"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
