"""Add wikis."""

from ingot.migrations.plain import run_statements

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
