"""The first schema."""

from ingot.migrations.plain import run_statements

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make everything."""
    run_statements(__file__)
