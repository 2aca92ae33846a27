"""Remember updates of mirrors."""

from ingot.migrations.plain import run_statements

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
