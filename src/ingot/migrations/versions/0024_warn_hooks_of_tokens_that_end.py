"""Warn hooks of tokens that end."""

from ingot.migrations.plain import run_statements

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
