"""Add releases."""

from ingot.migrations.plain import run_statements

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
