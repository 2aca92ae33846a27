"""Rights on environments and deployments."""

from ingot.access.abilities import ProjectAbility
from ingot.access.levels import DEVELOPER, MAINTAINER, REPORTER

READ_ENVIRONMENTS = ProjectAbility(ability="read_environment", level=REPORTER, feature="environments", outsiders=True)
CHANGE_ENVIRONMENTS = ProjectAbility(
    ability="update_environment", level=DEVELOPER, feature="environments", writes=True, needs_user=True
)
READ_DEPLOYMENTS = ProjectAbility(ability="read_deployment", level=REPORTER, feature="environments", outsiders=True)
CREATE_DEPLOYMENT = ProjectAbility(
    ability="create_deployment", level=DEVELOPER, feature="environments", writes=True, needs_user=True
)
DELETE_DEPLOYMENT = ProjectAbility(
    ability="destroy_deployment", level=MAINTAINER, feature="environments", needs_user=True
)
# Who may approve is said by the rules of the environment.
APPROVE_DEPLOYMENT = ProjectAbility(
    ability="approve_deployment", level=REPORTER, feature="environments", writes=True, needs_user=True
)
