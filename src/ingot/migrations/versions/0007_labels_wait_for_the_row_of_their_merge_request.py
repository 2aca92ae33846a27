"""Labels wait for the row of their merge request."""

from ingot.migrations.plain import run_statements

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
