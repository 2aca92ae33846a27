"""Forks own the LFS objects that they have read from their source until now: it may be deleted."""

from ingot.migrations.plain import run_statements

revision = "0046"
down_revision = "0045"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
