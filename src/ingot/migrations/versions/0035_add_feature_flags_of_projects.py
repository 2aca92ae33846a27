"""Add feature flags of projects."""

from ingot.migrations.plain import run_statements

revision = "0035"
down_revision = "0034"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
