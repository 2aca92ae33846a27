"""Index commenters and comments that name people."""

from ingot.migrations.plain import run_statements

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
