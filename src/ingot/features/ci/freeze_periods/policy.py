"""Who may read and change freeze periods."""

from ingot.access.abilities import ProjectAbility
from ingot.access.levels import MAINTAINER, REPORTER

READ_FREEZE_PERIODS = ProjectAbility(ability="read_freeze_period", level=REPORTER, needs_user=True)
ADMIN_FREEZE_PERIODS = ProjectAbility(ability="admin_freeze_period", level=MAINTAINER, writes=True, needs_user=True)
