"""Who reads and writes releases."""

from dataclasses import replace

from ingot.access.abilities import ProjectAbility
from ingot.access.call import Call
from ingot.access.levels import DEVELOPER, REPORTER
from ingot.features.code.pushing import load_rights

READ_RELEASES = ProjectAbility(ability="read_release", feature=("repository", "releases"), outsiders=True)
# One release shows its commit.
READ_RELEASE = replace(READ_RELEASES, ability="read_code_of_release", level=REPORTER, permission="read_code")
WRITE_RELEASES = ProjectAbility(
    ability="write_release", level=DEVELOPER, feature=("repository", "releases"), writes=True, needs_user=True
)


def may_create_tag(call: Call, tag: str) -> bool:
    """Users who may not create a protected tag may not change its release either."""
    return load_rights(call.conn, call.actor, call.project).refuse_tag(tag) is None
