"""Who may change status checks, and speak for the services behind them."""

from ingot.access.abilities import ProjectAbility
from ingot.access.levels import DEVELOPER, MAINTAINER
from ingot.kit.errors import Unauthorized

READ_CHECKS = ProjectAbility(
    ability="read_external_status_check", level=MAINTAINER, needs_user=True, refusal=Unauthorized
)
ADMIN_CHECKS = ProjectAbility(
    ability="admin_external_status_check", level=MAINTAINER, writes=True, needs_user=True, refusal=Unauthorized
)
RESPOND = ProjectAbility(
    ability="provide_status_check_response",
    level=DEVELOPER,
    feature="merge_requests",
    writes=True,
    needs_user=True,
    refusal=Unauthorized,
)
