"""Index code."""

from ingot.migrations.plain import run_statements

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
