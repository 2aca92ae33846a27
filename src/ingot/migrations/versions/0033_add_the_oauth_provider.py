"""Add the OAuth provider."""

from ingot.migrations.plain import run_statements

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
