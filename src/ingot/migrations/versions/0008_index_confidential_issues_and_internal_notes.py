"""Index confidential issues and internal notes."""

from ingot.migrations.plain import run_statements

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
