"""Rights on repositories. Class hooks look the project up before the parameters are read (`guard_first`)."""

from dataclasses import replace

from ingot.access.call import Call
from ingot.access.policy import PUSH_CODE, READ_CODE
from ingot.features.code.pushing import PushRights, load_rights
from ingot.kit.errors import Forbidden

# A write first needs what its class's reads need; the right to push is checked for the branch that was named.
CHANGE_CODE = replace(READ_CODE, ability="change_code", needs_user=True)
NOT_INTO_THIS_BRANCH = "You are not allowed to push into this branch"


def require_push(call: Call) -> PushRights:
    """The caller pushes to the project; 403 otherwise."""
    PUSH_CODE.require(call.actor, call.project)
    return load_rights(call.conn, call.actor, call.project)


def require_push_to(call: Call, branch: str) -> PushRights:
    """The caller may push to this branch; 403 with a sentence otherwise."""
    rights = load_rights(call.conn, call.actor, call.project)
    if not rights.may_push(branch):
        raise Forbidden(NOT_INTO_THIS_BRANCH)
    return rights
