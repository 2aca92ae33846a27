"""Add badges and snippets."""

from ingot.migrations.plain import run_statements

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
