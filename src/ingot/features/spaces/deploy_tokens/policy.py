"""Maintainers manage the deploy tokens of a project; in a group they read them, and Owners manage them."""

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.levels import MAINTAINER, OWNER

MANAGE_PROJECT_TOKENS = ProjectAbility(
    ability="manage_deploy_tokens", level=MAINTAINER, needs_user=True, permission="manage_deploy_tokens"
)
READ_GROUP_TOKENS = GroupAbility(
    ability="read_deploy_token", level=MAINTAINER, needs_user=True, permission="manage_deploy_tokens"
)
MANAGE_GROUP_TOKENS = GroupAbility(
    ability="manage_deploy_tokens", level=OWNER, needs_user=True, permission="manage_deploy_tokens"
)
