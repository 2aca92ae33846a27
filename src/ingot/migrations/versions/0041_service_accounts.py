"""Service accounts."""

from ingot.migrations.plain import run_statements

revision = "0041"
down_revision = "0040"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
