"""Add resource events."""

from ingot.migrations.plain import run_statements

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
