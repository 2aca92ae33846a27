"""Changing memberships, in the caller's transaction; the materialised rights follow in the same one."""

from datetime import date
from typing import NotRequired, TypedDict, Unpack

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from ingot.access.authorizations import refresh_groups, refresh_projects
from ingot.access.levels import OWNER, ROLE_NAMES
from ingot.access.member_changes import report_member, report_removal
from ingot.access.subjects import Group, Project
from ingot.access.tables import members, namespace_ancestors, projects
from ingot.access.turns import take_turn
from ingot.access.unassigning import unassign_user_later
from ingot.features.people.event_log import record_event
from ingot.features.people.members.policy import MANAGE_GROUP_MEMBERS, MANAGE_PROJECT_MEMBERS
from ingot.features.people.members.queries import (
    find_inherited,
    find_member,
    has_other_owner,
    is_account_of_elsewhere,
    is_personal_owner,
)
from ingot.features.people.members.rows import MemberRow
from ingot.features.people.members.source import Source
from ingot.kit.actor import Actor
from ingot.kit.clock import now, today
from ingot.kit.errors import Conflict, Forbidden, Invalid, RecordNotFound

NOT_IN_LIST = "is not included in the list"
OTHER_HIERARCHY = "service accounts of a group cannot be added outside it"


class AlreadyMember(Conflict):
    """Member already exists"""


class MembershipOptions(TypedDict, total=False):
    """Rarely used options of a membership."""

    member_role_id: int | None
    notification_level: int


def add_member(
    tx: Connection,
    source: Source,
    user_id: int,
    access_level: int,
    *,
    expires_at: date | None = None,
    created_by_id: int | None = None,
    **more: Unpack[MembershipOptions],
) -> int:
    """Give a user a role in a group or project and refresh the rights; returns the membership's id.

    Raises `Invalid` for a level or date that is not possible and `AlreadyMember` for a second membership. The caller
    checks the right to do it (`require_manager`).
    """
    source.take_turn(tx)
    _require_valid(tx, source, user_id, access_level, expires_at)
    moment = now()
    # An expired membership may not have been removed yet.
    expired = tx.execute(
        delete(members).where(source.direct, members.c.user_id == user_id, members.c.expires_at <= today())
    )
    statement = (
        insert(members)
        .values(
            **source.key,
            user_id=user_id,
            access_level=access_level,
            expires_at=expires_at,
            created_by_id=created_by_id,
            created_at=moment,
            updated_at=moment,
            **more,
        )
        .returning(members.c.id)
    )
    try:
        with tx.begin_nested():
            member_id = int(tx.execute(statement).scalar_one())
    except IntegrityError:
        raise AlreadyMember from None
    source.refresh(tx)
    report_member(tx, user_id, None, **source.key)
    if not source.is_group:
        record_event(tx, "joined", source.id, user_id)
    if expired.rowcount:
        unassign_user_later(tx, user_id)
    return member_id


class RoleChange(TypedDict):
    """A new role, and its expiry where that was sent."""

    access_level: int
    member_role_id: NotRequired[int | None]
    expires_at: NotRequired[date | None]


def edit_member(
    tx: Connection, actor: Actor, source: Source, level_of_actor: int, user_id: int, values: RoleChange
) -> None:
    """Change a role or its expiry."""
    source.take_turn(tx)
    member = find_member(tx, source, user_id)
    if member is None:
        raise RecordNotFound
    _refuse_bot(member)
    level = values["access_level"]
    require_reach(actor, level_of_actor, max(level, member.access_level))
    if is_personal_owner(tx, source, user_id):
        raise Forbidden
    if source.is_group and member.access_level == OWNER > level and not has_other_owner(tx, source.id, user_id):
        raise Forbidden
    _require_valid(tx, source, user_id, level, values.get("expires_at"))
    tx.execute(update(members).where(members.c.id == member.member_id).values(**values, updated_at=now()))
    source.refresh(tx)
    unassign_user_later(tx, user_id)
    report_member(tx, user_id, member, **source.key)


def remove_member(
    tx: Connection, actor: Actor, source: Source, subject: Group | Project, member: MemberRow, *, below: bool = True
) -> None:
    """End a membership; with `below` also those of subgroups and projects below the group."""
    source.take_turn(tx)
    _refuse_bot(member)
    if member.id != actor.user_id:
        require_manager(actor, subject)
        require_reach(actor, subject.level, member.access_level)
    if is_personal_owner(tx, source, member.id):
        raise Forbidden
    if source.is_group and member.access_level == OWNER and not has_other_owner(tx, source.id, member.id):
        raise Forbidden
    ended = tx.execute(delete(members).where(members.c.id == member.member_id).returning(*members.c)).one_or_none()
    if ended is not None:
        report_removal(tx, ended)
    if source.is_group and below:
        leave_hierarchy(tx, source.id, member.id)
    if not source.is_group:
        record_event(tx, "left", source.id, member.id)
    source.refresh(tx)
    unassign_user_later(tx, member.id)


def leave_hierarchy(tx: Connection, group_id: int, user_id: int) -> None:
    """End the user's direct memberships in the group, its subgroups and their projects, even the last owner's."""
    take_turn(tx, exclusive=True)
    inside = select(namespace_ancestors.c.namespace_id).where(namespace_ancestors.c.ancestor_id == group_id)
    project_ids = select(projects.c.id).where(projects.c.namespace_id.in_(inside))
    of_groups = delete(members).where(members.c.user_id == user_id, members.c.group_id.in_(inside))
    of_projects = delete(members).where(members.c.user_id == user_id, members.c.project_id.in_(project_ids))
    ended = [row for statement in (of_groups, of_projects) for row in tx.execute(statement.returning(*members.c)).all()]
    for row in ended:
        report_removal(tx, row)
    groups = {row.group_id for row in ended if row.group_id is not None}
    projects_touched = {row.project_id for row in ended if row.project_id is not None}
    for project_id in projects_touched:
        record_event(tx, "left", project_id, user_id)
    if groups:
        refresh_groups(tx, groups)
    refresh_projects(tx, projects_touched)


def _refuse_bot(member: MemberRow) -> None:
    """The bot of an access token keeps its role; only its token can be revoked."""
    if member.kind == "project_bot":
        raise Forbidden


def require_manager(actor: Actor, subject: Group | Project) -> None:
    """Members are managed by Owners of a group, by Maintainers of a project, and by custom roles that may."""
    if isinstance(subject, Group):
        MANAGE_GROUP_MEMBERS.require(actor, subject)
    else:
        MANAGE_PROJECT_MEMBERS.require(actor, subject)


def require_reach(actor: Actor, own: int, touched: int) -> None:
    """Nobody adds, changes or removes members above their own level."""
    if not reaches(actor, own, touched):
        raise Forbidden


def reaches(actor: Actor, own: int, touched: int) -> bool:
    """The touched level is not above the actor's own."""
    return actor.is_admin or min(touched, OWNER) <= own


def _require_valid(tx: Connection, source: Source, user_id: int, level: int, expires_at: date | None) -> None:
    if level not in source.levels:
        raise Invalid({"access_level": [NOT_IN_LIST]})
    if expires_at is not None and expires_at < today():
        raise Invalid({"expires_at": ["cannot be a date in the past"]})
    if is_account_of_elsewhere(tx, source, user_id):
        raise Invalid({"user_id": [OTHER_HIERARCHY]})
    inherited = find_inherited(tx, source, user_id)
    if inherited is not None and inherited.access_level > level:
        role = ROLE_NAMES[inherited.access_level]
        raise Invalid(
            {
                "access_level": [
                    f"should be greater than or equal to {role} inherited membership from group {inherited.name}"
                ]
            }
        )
