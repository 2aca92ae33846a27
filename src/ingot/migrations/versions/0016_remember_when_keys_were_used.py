"""Remember when keys were used."""

from ingot.migrations.plain import run_statements

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
