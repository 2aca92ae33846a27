"""Find two letters in texts beyond ASCII."""

from ingot.migrations.plain import run_statements

revision = "0050"
down_revision = "0049"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
