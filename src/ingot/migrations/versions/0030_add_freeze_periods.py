"""Add freeze periods."""

from ingot.migrations.plain import run_statements

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
