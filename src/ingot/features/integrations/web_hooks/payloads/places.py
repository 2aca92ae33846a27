"""Payloads of projects and groups that come, change and go."""

from sqlalchemy import select

from ingot.access.levels import OWNER, Visibility
from ingot.access.rows import NamespaceRow, ProjectRow
from ingot.access.tables import namespaces, project_authorizations, projects
from ingot.features.integrations.web_hooks.messages import Message
from ingot.features.integrations.web_hooks.payloads.blocks import REDACTED, Blocks, Payload, iso
from ingot.identity.rows import UserRow
from ingot.identity.tables import users
from ingot.kit.changes import Change

MOVES = ("rename", "transfer")


def project_messages(blocks: Blocks, change: Change) -> list[Message]:
    """To the instance; that a project is new or about to go, also to the groups above it."""
    row: ProjectRow | None = blocks.row(projects, change.record_id)
    if row is None:
        return []
    owners = _owners(blocks, row.id)
    payload: Payload = {
        "event_name": f"project_{change.action}",
        "created_at": iso(row.created_at),
        "updated_at": iso(row.updated_at),
        "name": row.name,
        "path": row.path,
        "path_with_namespace": row.full_path,
        "project_id": row.id,
        "project_namespace_id": row.namespace_id,
        **_owner(blocks, row),
        "owners": [{"name": user.name, "email": user.email} for user in owners],
        "project_visibility": Visibility(row.visibility).word,
    }
    if change.action in MOVES:
        payload["old_path_with_namespace"] = change.details["old_path_with_namespace"]
    subject = f"project:{row.id}"
    result = [Message(None, subject, payload)]
    if change.action in ("create", "destroy"):
        for_groups = {name: value for name, value in payload.items() if name not in ("owner_name", "owner_email")}
        for_groups["owners"] = [{"name": user.name, "email": user.public_email or REDACTED} for user in owners]
        result.append(Message("project_events", subject, for_groups, kinds=("group",)))
    return result


def _owner(blocks: Blocks, row: ProjectRow) -> Payload:
    """Whose project it is: somebody's, or a group's."""
    space = blocks.namespace_row(row.namespace_id)
    owner = blocks.user_row(space.owner_id) if space.kind == "user" else None
    if owner is None:
        return {"owner_name": space.name, "owner_email": ""}
    return {"owner_name": owner.name, "owner_email": owner.email}


def _owners(blocks: Blocks, project_id: int) -> list[UserRow]:
    rights = project_authorizations
    query = select(users).join(rights, rights.c.user_id == users.c.id)
    query = query.where(rights.c.project_id == project_id, rights.c.access_level >= OWNER, users.c.kind == "human")
    return list(blocks.tx.execute(query.order_by(users.c.id)))


def group_messages(blocks: Blocks, change: Change) -> list[Message]:
    """To the instance; that a subgroup is new or about to go, also to the groups above it."""
    row: NamespaceRow | None = blocks.row(namespaces, change.record_id)
    if row is None:
        return []
    moments = {"created_at": iso(row.created_at), "updated_at": iso(row.updated_at)}
    names = {"name": row.name, "path": row.path, "full_path": row.full_path, "group_id": row.id}
    payload: Payload = {"event_name": f"group_{change.action}", **moments, **names}
    if change.action == "rename":
        payload |= change.details
    subject = f"group:{row.id}"
    result = [Message(None, subject, payload)]
    parent: NamespaceRow | None = blocks.row(namespaces, row.parent_id)
    if parent is not None and change.action in ("create", "destroy"):
        above = {
            "parent_group_id": parent.id,
            "parent_name": parent.name,
            "parent_path": parent.path,
            "parent_full_path": parent.full_path,
        }
        event = {**moments, "event_name": f"subgroup_{change.action}", **names, **above}
        result.append(Message("subgroup_events", subject, event, kinds=("group",)))
    return result
