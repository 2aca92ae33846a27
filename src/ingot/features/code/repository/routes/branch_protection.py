"""Legacy protection of single branches."""

from ingot.access.call import Call
from ingot.access.levels import DEVELOPER, MAINTAINER
from ingot.access.policy import ADMIN_PROJECT
from ingot.features.code.protected_branches import load as load_protection
from ingot.features.code.protected_branches import protect_for_roles, unprotect
from ingot.features.code.repository.entities import Branch
from ingot.features.code.repository.opening import open_repository
from ingot.features.code.repository.presenting import present_branches
from ingot.features.code.repository.routes.branches import MEMBER, find_branch
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Forbidden
from ingot.kit.params import Param, Params

routes = Routes("Branches", guard=ADMIN_PROJECT, guard_first=True, waits=True)


class ProtectOneBranch(Params):
    """Which rights developers have."""

    developers_can_push: bool | None = Param("Developers may push; left out: as it is, else maintainers only.")
    developers_can_merge: bool | None = Param("Developers may merge; left out: as it is, else maintainers only.")


def _role(developers: bool | None) -> int | None:
    if developers is None:
        return None
    return DEVELOPER if developers else MAINTAINER


def _require_right(call: Call, name: str) -> None:
    """Who may not remove a rule does not loosen it either."""
    if not load_protection(call.conn, call.actor, call.project).may_unprotect(name):
        raise Forbidden


@routes.put(f"{MEMBER}/protect", params=ProtectOneBranch, returns=Branch)
def protect_one_branch(call: Call[ProtectOneBranch]) -> Answer:
    """Protect an existing branch (deprecated: use the endpoints of protected branches)."""
    repository = open_repository(call)
    branch = find_branch(repository, call.path["branch"])
    _require_right(call, branch.name)
    roles = {"push": _role(call.params.developers_can_push), "merge": _role(call.params.developers_can_merge)}
    with call.write() as tx:
        protect_for_roles(tx, call.project.id, branch.name, roles)
    return present_branches(call, repository, [branch])[0]


@routes.put(f"{MEMBER}/unprotect", returns=Branch)
def unprotect_one_branch(call: Call) -> Answer:
    """Unprotect a branch (deprecated)."""
    repository = open_repository(call)
    branch = find_branch(repository, call.path["branch"])
    _require_right(call, branch.name)
    with call.write() as tx:
        unprotect(tx, call.project.id, branch.name)
    return present_branches(call, repository, [branch])[0]
