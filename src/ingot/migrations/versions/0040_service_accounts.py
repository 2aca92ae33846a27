"""Service accounts."""

from ingot.migrations.plain import run_statements

revision = "0040"
down_revision = "0039"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
