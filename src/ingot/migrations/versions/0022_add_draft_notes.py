"""Add draft notes."""

from ingot.migrations.plain import run_statements

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
