"""Let groups choose addresses."""

from ingot.migrations.plain import run_statements

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
