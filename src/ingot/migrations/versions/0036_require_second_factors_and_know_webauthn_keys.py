"""Require second factors and know WebAuthn keys."""

from ingot.migrations.plain import run_statements

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
