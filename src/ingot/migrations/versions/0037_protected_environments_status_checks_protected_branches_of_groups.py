"""Protected environments, status checks, protected branches of groups."""

from ingot.migrations.plain import run_statements

revision = "0037"
down_revision = "0036"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
