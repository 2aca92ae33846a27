"""User agents of issues and snippets."""

from ingot.migrations.plain import run_statements

revision = "0043"
down_revision = "0042"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
