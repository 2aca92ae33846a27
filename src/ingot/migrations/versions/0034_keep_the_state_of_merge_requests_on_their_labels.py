"""Keep the state of merge requests on their labels."""

from ingot.migrations.plain import run_statements

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
