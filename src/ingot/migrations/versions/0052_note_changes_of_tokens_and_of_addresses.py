"""Note changes of tokens and of addresses."""

from ingot.migrations.plain import run_statements

revision = "0052"
down_revision = "0051"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
