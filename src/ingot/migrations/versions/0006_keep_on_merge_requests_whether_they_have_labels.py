"""Keep on merge requests whether they have labels."""

from ingot.migrations.plain import run_statements

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
