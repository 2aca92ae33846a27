"""The role table: which role grants which ability. Features keep abilities of their own in their policy.py."""

from dataclasses import replace

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
    ability="read_code",
    level=REPORTER,
    feature="repository",
    outsiders=True,
    feature_off=RepositoryNotFound,
    permission="read_code",
)
# A custom role may read files; downloading all code needs the base role.
DOWNLOAD_CODE = replace(READ_CODE, ability="download_code", permission=None)
PUSH_CODE = ProjectAbility(ability="push_code", level=DEVELOPER, feature="repository", writes=True, needs_user=True)
READ_STATISTICS = ProjectAbility(ability="read_statistics", level=REPORTER, needs_user=True)
READ_MERGE_REQUESTS = ProjectAbility(
    ability="read_merge_request", level=REPORTER, feature=("repository", "merge_requests"), outsiders=True
)
READ_ISSUES = ProjectAbility(ability="read_issue", level=GUEST, feature="issues", outsiders=True)
READ_BUILDS = ProjectAbility(ability="read_build", level=GUEST, feature="builds", outsiders=True)
ADMIN_PROJECT = ProjectAbility(ability="admin_project", level=MAINTAINER, needs_user=True)
EDIT_MERGE_SETTINGS = replace(
    ADMIN_PROJECT, ability="manage_merge_request_settings", permission="manage_merge_request_settings"
)
# Users with only that permission change merge settings and nothing else; the command checks that.
EDIT_PROJECT = replace(EDIT_MERGE_SETTINGS, ability="edit_project")
OWN_PROJECT = ProjectAbility(ability="own_project", level=OWNER, needs_user=True)
ARCHIVE_PROJECT = replace(OWN_PROJECT, ability="archive_project", permission="archive_project")
REMOVE_PROJECT = replace(OWN_PROJECT, ability="remove_project", permission="remove_project")

READ_GROUP = GroupAbility(ability="read_group", outsiders=True)
READ_GROUP_SIGNED_IN = GroupAbility(ability="read_group", outsiders=True, needs_user=True)
OWN_GROUP = GroupAbility(ability="own_group", level=OWNER, needs_user=True)
REMOVE_GROUP = replace(OWN_GROUP, ability="remove_group", permission="remove_group")
