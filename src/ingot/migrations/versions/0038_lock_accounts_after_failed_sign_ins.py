"""Lock accounts after failed sign-ins."""

from ingot.migrations.plain import run_statements

revision = "0038"
down_revision = "0037"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
