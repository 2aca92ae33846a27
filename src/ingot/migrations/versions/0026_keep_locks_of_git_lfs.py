"""Keep locks of git lfs."""

from ingot.migrations.plain import run_statements

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Go to this revision."""
    run_statements(__file__)
