"""Add audit events."""

from ingot.migrations.plain import run_statements

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
