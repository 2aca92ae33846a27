"""Keep which files were viewed."""

from ingot.migrations.plain import run_statements

revision = "0049"
down_revision = "0048"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
