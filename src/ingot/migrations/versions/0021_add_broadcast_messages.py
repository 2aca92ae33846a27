"""Add broadcast messages."""

from ingot.migrations.plain import run_statements

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
