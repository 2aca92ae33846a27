"""Keep verdicts on signatures."""

from ingot.migrations.plain import run_statements

revision = "0048"
down_revision = "0047"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
