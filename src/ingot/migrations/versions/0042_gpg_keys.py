"""Gpg keys."""

from ingot.migrations.plain import run_statements

revision = "0042"
down_revision = "0041"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
