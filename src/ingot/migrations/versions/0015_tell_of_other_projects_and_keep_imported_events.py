"""Tell of other projects and keep imported events."""

from ingot.migrations.plain import run_statements

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
