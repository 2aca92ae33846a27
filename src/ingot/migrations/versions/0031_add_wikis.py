"""Add wikis."""

from ingot.migrations.plain import run_statements

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
