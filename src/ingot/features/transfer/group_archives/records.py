"""Groups as archives have them."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Column, Connection, Select, select

from ingot.access.rows import NamespaceRow
from ingot.access.tables import members, namespace_ancestors, namespaces
from ingot.features.planning.boards import board_labels, board_lists, boards
from ingot.features.planning.labels import labels
from ingot.features.planning.milestones import milestones
from ingot.features.spaces.badges import group_badges
from ingot.features.spaces.groups import GroupSettings
from ingot.features.transfer.project_exports import batches, label_record, milestone_record, times
from ingot.identity.tables import users
from ingot.kit.entity import group_by

# What an archive says in numbers.
PROJECT_CREATION = {"noone": 0, "maintainer": 1, "developer": 2, "administrator": 3, "owner": 4}
SUBGROUP_CREATION = {"owner": 0, "maintainer": 1}
PLAIN_SETTINGS = (
    "share_with_group_lock", "require_two_factor_authentication", "two_factor_grace_period", "auto_devops_enabled",
    "mentions_disabled", "lfs_enabled", "request_access_enabled", "membership_lock", "default_branch_protection",
)  # fmt: skip


def hierarchy(conn: Connection, group_id: int) -> list[NamespaceRow]:
    """The group and all below it, by depth."""
    tree = namespace_ancestors
    query = (
        select(namespaces)
        .join_from(namespaces, tree, tree.c.namespace_id == namespaces.c.id)
        .where(tree.c.ancestor_id == group_id, namespaces.c.pending_delete.is_(False))
        .order_by(tree.c.depth, namespaces.c.id)
    )
    return list(conn.execute(query))


def group_record(row: NamespaceRow, root_id: int) -> dict[str, Any]:
    """The attributes of a group. Its visibility is not told, and neither is any token."""
    settings = GroupSettings.of(row)
    return {
        "id": row.id,
        "name": row.name,
        "path": row.path,
        "owner_id": None,
        **times(row),
        "description": row.description,
        "avatar": {"url": None},
        "parent_id": None if row.id == root_id else row.parent_id,
        **{name: getattr(settings, name) for name in PLAIN_SETTINGS},
        "project_creation_level": PROJECT_CREATION.get(settings.project_creation_level or ""),
        "subgroup_creation_level": SUBGROUP_CREATION[settings.subgroup_creation_level],
        "emails_disabled": not settings.emails_enabled,
    }


def member_records(conn: Connection, group_id: int, *, addresses: bool) -> Iterator[dict[str, Any]]:
    """Direct members with their public mail address; with `addresses`, else their real one. Bots stay behind."""
    query = (
        select(members, users.c.username, users.c.email, users.c.public_email)
        .join_from(members, users, users.c.id == members.c.user_id)
        .where(members.c.group_id == group_id, users.c.kind == "human")
    )
    for row in _rows(conn, query, members.c.id):
        yield {
            "id": row.id,
            "access_level": row.access_level,
            "source_id": group_id,
            "source_type": "Namespace",
            "user_id": row.user_id,
            "notification_level": row.notification_level,
            **times(row),
            "created_by_id": row.created_by_id,
            "invite_email": None,
            "invite_accepted_at": None,
            "requested_at": None,
            "expires_at": row.expires_at.isoformat() if row.expires_at else None,
            "ldap": False,
            "override": False,
            "user": {
                "id": row.user_id,
                "public_email": row.public_email or (row.email if addresses else None),
                "username": row.username,
            },
        }


def label_records(conn: Connection, group_id: int) -> Iterator[dict[str, Any]]:
    """Labels of the group itself."""
    for row in _rows(conn, select(labels).where(labels.c.group_id == group_id), labels.c.id):
        yield {"id": row.id, **label_record(row), "priorities": []}


def milestone_records(conn: Connection, group_id: int) -> Iterator[dict[str, Any]]:
    """Milestones of the group itself."""
    for row in _rows(conn, select(milestones).where(milestones.c.group_id == group_id), milestones.c.id):
        yield {"id": row.id, **milestone_record(row), "events": []}


def badge_records(conn: Connection, group_id: int) -> Iterator[dict[str, Any]]:
    """Badges of the group itself."""
    for row in _rows(conn, select(group_badges).where(group_badges.c.group_id == group_id), group_badges.c.id):
        addresses = {"link_url": row.link_url, "image_url": row.image_url, "name": row.name}
        yield {"id": row.id, **addresses, "project_id": None, "group_id": group_id, **times(row), "type": "GroupBadge"}


def board_records(conn: Connection, group_id: int) -> Iterator[dict[str, Any]]:
    """Boards with their lists of labels, milestones and people."""
    rows = conn.execute(select(boards).where(boards.c.group_id == group_id).order_by(boards.c.id)).all()
    ids = [row.id for row in rows]
    query = select(board_lists).where(board_lists.c.board_id.in_(ids))
    lists = conn.execute(query.order_by(board_lists.c.position, board_lists.c.id)).all()
    shown = conn.execute(select(board_labels).where(board_labels.c.board_id.in_(ids))).all()
    wanted = {one.label_id for one in (*lists, *shown)} - {None}
    titles = {row.id: label_record(row) for row in conn.execute(select(labels).where(labels.c.id.in_(wanted)))}
    wanted = {one.milestone_id for one in (*rows, *lists)} - {None}
    query = select(milestones).where(milestones.c.id.in_(wanted))
    named = {row.id: milestone_record(row) for row in conn.execute(query)}
    lists_of, labels_of = group_by(lists, lambda one: one.board_id), group_by(shown, lambda one: one.board_id)
    for row in rows:
        yield {
            "id": row.id,
            "name": row.name,
            "project_id": None,
            "group_id": group_id,
            "weight": row.weight,
            "hide_backlog_list": row.hide_backlog_list,
            "hide_closed_list": row.hide_closed_list,
            **times(row),
            "milestone": named.get(row.milestone_id),
            "labels": [titles[one.label_id] for one in labels_of.get(row.id, [])],
            "lists": [
                {
                    "list_type": "label" if one.label_id else "assignee" if one.assignee_id else "milestone",
                    "position": one.position,
                    "user_id": one.assignee_id,
                    "label": titles.get(one.label_id),
                    "milestone": named.get(one.milestone_id),
                    **times(one),
                }
                for one in lists_of.get(row.id, [])
            ],
        }


def _rows(conn: Connection, query: Select[Any], key: Column[Any]) -> Iterator[Any]:
    for part in batches(conn, query, key):
        yield from part
