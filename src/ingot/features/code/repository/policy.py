"""Rights on repositories. The guards load the project before the parameters are read (`guard_first`)."""

from dataclasses import replace

from ingot.access.abilities import ProjectAbility
from ingot.access.call import Call
from ingot.access.levels import MAINTAINER
from ingot.access.policy import PUSH_CODE, READ_CODE
from ingot.features.code.pushing import PushRights, load_rights
from ingot.kit.errors import Failure, Forbidden

# Writes need the right to read first; the right to push is checked for the named branch.
CHANGE_CODE = replace(READ_CODE, ability="change_code", needs_user=True)
READ_HEALTH = ProjectAbility(ability="read_repository_health", level=MAINTAINER, feature="repository", needs_user=True)
NOT_INTO_THIS_BRANCH = "You are not allowed to push into this branch"


def require_push(call: Call) -> PushRights:
    """Require the right to push to the project; 403 otherwise."""
    PUSH_CODE.require(call.actor, call.project)
    return load_rights(call.conn, call.actor, call.project)


def require_push_to(call: Call, branch: str) -> PushRights:
    """Require the right to push to this branch; 403 with a message otherwise."""
    rights = load_rights(call.conn, call.actor, call.project)
    if not rights.may_push(branch):
        raise Forbidden(NOT_INTO_THIS_BRANCH)
    return rights


def require_change_in(call: Call, branch: str) -> None:
    """Require the right to change a file in this branch: 403 for those who may not push, and 400 for a branch that is
    closed to those who may, as GitLab answers; tools that open the branch for a moment look for it."""
    if load_rights(call.conn, call.actor, call.project).may_push(branch):
        return
    PUSH_CODE.require(call.actor, call.project)
    raise Failure(400, NOT_INTO_THIS_BRANCH)
