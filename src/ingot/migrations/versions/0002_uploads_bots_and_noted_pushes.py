"""Uploads, bots and noted pushes."""

from ingot.migrations.plain import run_statements

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
