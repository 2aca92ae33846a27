"""Transferring a group to another parent, or to the top."""

import msgspec
from sqlalchemy import Connection, func, select, update
from sqlalchemy.exc import IntegrityError

from ingot.access import names
from ingot.access.authorizations import refresh_groups
from ingot.access.paths import is_path_taken
from ingot.access.rows import NamespaceRow
from ingot.access.tables import namespace_ancestors, namespaces, projects
from ingot.access.unassigning import unassign_in_group_later
from ingot.features.people.saml import find_provider
from ingot.features.spaces.groups.commands.create import place
from ingot.features.spaces.groups.commands.form import depth_of
from ingot.features.spaces.groups.commands.move import move_paths, reparent
from ingot.features.spaces.groups.commands.runners import ENABLED, inherited, switch_off_below
from ingot.features.spaces.groups.settings import GroupSettings
from ingot.kit.clock import now
from ingot.kit.errors import Failure, Invalid

SAME_PATH = "The parent group already has a subgroup or a project with the same path."


class TransferFailed(Failure):
    """Transfer failed: the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(400, f"Transfer failed: {reason}")


def transfer_group(tx: Connection, group: NamespaceRow, parent: NamespaceRow | None, *, permitted: bool) -> None:
    """Move the group below `parent` (None: the top). `permitted`: the actor may create groups there."""
    group = place(tx, group.id)
    parent = None if parent is None else place(tx, parent.id)
    if parent is None and group.parent_id is None:
        raise TransferFailed("Group is already a root group.")
    if parent is not None and parent.id == group.parent_id:
        raise TransferFailed("Group is already associated to the parent group.")
    if parent is not None and _is_inside(tx, parent.id, group.id):
        raise TransferFailed("Cannot transfer group to one of its subgroup.")
    # Only a top-level group signs people in.
    if parent is not None and find_provider(tx, group.id) is not None:
        raise TransferFailed("SAML Provider or SCIM Token is configured for this group.")
    if not permitted:
        raise TransferFailed("You don't have enough permissions.")
    full_path = group.path if parent is None else f"{parent.full_path}/{group.path}"
    full_name = group.name if parent is None else f"{parent.full_name} / {group.name}"
    _require_place(tx, group, parent, full_path)
    try:
        with tx.begin_nested():
            move_paths(tx, group, full_path=full_path, full_name=full_name)
    except IntegrityError:
        raise TransferFailed(SAME_PATH) from None
    except Invalid as error:
        raise TransferFailed(f"Path {error.problems['path'][0]}") from None
    tx.execute(
        update(namespaces)
        .where(namespaces.c.id == group.id)
        .values(parent_id=None if parent is None else parent.id, updated_at=now())
    )
    reparent(tx, group.id, None if parent is None else parent.id)
    if parent is not None:
        _lower_visibility(tx, group.id, parent.visibility)
        _disable_runners(tx, group, parent)
    refresh_groups(tx, [group.id])
    unassign_in_group_later(tx, group.id)


def _is_inside(tx: Connection, group_id: int, ancestor_id: int) -> bool:
    tree = namespace_ancestors
    query = select(tree.c.depth).where(tree.c.namespace_id == group_id, tree.c.ancestor_id == ancestor_id)
    return tx.execute(query).first() is not None


def _require_place(tx: Connection, group: NamespaceRow, parent: NamespaceRow | None, full_path: str) -> None:
    if is_path_taken(tx, full_path, except_namespace=group.id):
        raise TransferFailed(SAME_PATH)
    if result := names.group_path_problems(group.path, top_level=parent is None):
        raise TransferFailed(f"Path {result[0]}")
    if parent is None:
        return
    same_name = select(namespaces.c.id).where(namespaces.c.parent_id == parent.id, namespaces.c.name == group.name)
    if tx.execute(same_name).first() is not None:
        raise TransferFailed("Name has already been taken")
    tree = namespace_ancestors
    height = tx.execute(select(func.max(tree.c.depth)).where(tree.c.ancestor_id == group.id)).scalar_one()
    if depth_of(tx, parent.id) + height > names.MAX_ANCESTORS:
        raise TransferFailed(f"Parent {names.TOO_DEEP}")


def _disable_runners(tx: Connection, group: NamespaceRow, parent: NamespaceRow) -> None:
    """If the new parent has instance runners disabled, disable them in the group too."""
    own = GroupSettings.of(group)
    if inherited(parent) != ENABLED and own.shared_runners_setting == ENABLED:
        changed = msgspec.structs.replace(own, shared_runners_setting=inherited(parent))
        tx.execute(update(namespaces).where(namespaces.c.id == group.id).values(settings=changed.stored()))
        switch_off_below(tx, group.id)


def _lower_visibility(tx: Connection, group_id: int, limit: int) -> None:
    """Nothing below may be more visible than the new parent."""
    inside = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == group_id)
    tx.execute(
        update(namespaces).where(namespaces.c.id.in_(inside), namespaces.c.visibility > limit).values(visibility=limit)
    )
    tx.execute(
        update(projects)
        .where(projects.c.namespace_id.in_(inside), projects.c.visibility > limit)
        .values(visibility=limit, updated_at=now())
    )
