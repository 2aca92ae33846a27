"""Web hooks."""

from ingot.migrations.plain import run_statements

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
