"""Notification settings."""

from ingot.migrations.plain import run_statements

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
