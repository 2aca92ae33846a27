"""Note changes of settled data."""

from ingot.migrations.plain import run_statements

revision = "0051"
down_revision = "0050"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
