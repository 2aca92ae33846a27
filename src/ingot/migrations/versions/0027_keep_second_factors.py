"""Keep second factors."""

from ingot.migrations.plain import run_statements

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
