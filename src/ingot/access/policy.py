"""The role table: which role grants which ability. Features keep abilities of their own in their policy.py."""

from ingot.access.abilities import (
    Administrator,
    Anyone,
    GroupAbility,
    ProjectAbility,
    RepositoryNotFound,
    SignedIn,
)
from ingot.access.levels import DEVELOPER, GUEST, MAINTAINER, OWNER, REPORTER

ANYONE = Anyone()
ANYONE_MAY_WRITE = Anyone(anonymous_writes=True)
SIGNED_IN = SignedIn()
ADMINISTRATOR = Administrator()

READ_PROJECT = ProjectAbility(ability="read_project", outsiders=True)
READ_PROJECT_SIGNED_IN = ProjectAbility(ability="read_project", outsiders=True, needs_user=True)
READ_CODE = ProjectAbility(
    ability="read_code", level=REPORTER, feature="repository", outsiders=True, feature_off=RepositoryNotFound
)
PUSH_CODE = ProjectAbility(ability="push_code", level=DEVELOPER, feature="repository", writes=True, needs_user=True)
READ_STATISTICS = ProjectAbility(ability="read_statistics", level=REPORTER, needs_user=True)
READ_MERGE_REQUESTS = ProjectAbility(
    ability="read_merge_request", level=REPORTER, feature=("repository", "merge_requests"), outsiders=True
)
READ_ISSUES = ProjectAbility(ability="read_issue", level=GUEST, feature="issues", outsiders=True)
READ_BUILDS = ProjectAbility(ability="read_build", level=GUEST, feature="builds", outsiders=True)
UPDATE_BUILDS = ProjectAbility(ability="update_build", level=DEVELOPER, feature="builds", writes=True, needs_user=True)
ADMIN_BUILDS = ProjectAbility(ability="admin_build", level=MAINTAINER, feature="builds", writes=True, needs_user=True)
ADMIN_PROJECT = ProjectAbility(ability="admin_project", level=MAINTAINER, needs_user=True)
OWN_PROJECT = ProjectAbility(ability="own_project", level=OWNER, needs_user=True)
EXPORT_PROJECT = ProjectAbility(ability="export_project", level=MAINTAINER, needs_user=True)

READ_GROUP = GroupAbility(ability="read_group", outsiders=True)
READ_GROUP_SIGNED_IN = GroupAbility(ability="read_group", outsiders=True, needs_user=True)
OWN_GROUP = GroupAbility(ability="own_group", level=OWNER, needs_user=True)
MAINTAIN_GROUP = GroupAbility(ability="maintain_group", level=MAINTAINER, needs_user=True)
