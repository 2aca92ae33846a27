"""Integrations of groups."""

from ingot.migrations.plain import run_statements

revision = "0047"
down_revision = "0046"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
