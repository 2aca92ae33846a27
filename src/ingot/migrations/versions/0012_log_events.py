"""Log events."""

from ingot.migrations.plain import run_statements

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
