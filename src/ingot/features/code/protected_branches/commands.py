"""Protecting and unprotecting branches and tags, and changing the rules."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Table, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from ingot.access.levels import MAINTAINER, ROLE_NAMES
from ingot.access.tables import (
    group_group_links,
    members,
    namespace_ancestors,
    project_authorizations,
    project_group_links,
    projects,
)
from ingot.features.code.protected_branches.params import Grant
from ingot.features.code.protected_branches.rows import ProtectedBranchRow, ProtectedTagRow, RuleGrantRow
from ingot.features.code.protected_branches.tables import (
    protected_branch_access_levels,
    protected_branches,
    protected_tag_access_levels,
    protected_tags,
)
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.errors import Failure, Texts

NO_ACCESS_TO_PROJECT = "Cannot add users or groups unless they have access to the project"


class Level(msgspec.Struct):
    """A role as an entry."""

    access_level: int
    user_id: int | None = None
    group_id: int | None = None
    destroy: bool | None = None
    id: int | None = msgspec.field(default=None)


class NewBranch(msgspec.Struct, frozen=True):
    """The requested protection of a branch: the rules by kind."""

    name: str
    grants: Mapping[str, Sequence[Grant | Level]]
    allow_force_push: bool = False
    code_owner_approval_required: bool = False


def protect_branch(tx: Connection, project_id: int, options: NewBranch) -> int:
    """Protect a name or pattern. 409 when it is protected already, 422 for people without access."""
    values = {
        "project_id": project_id,
        "name": options.name,
        "allow_force_push": options.allow_force_push,
        "code_owner_approval_required": options.code_owner_approval_required,
    }
    created = _insert(tx, protected_branches, values, f"Protected branch '{options.name}' already exists")
    for kind, grants in options.grants.items():
        _add(tx, project_id, protected_branch_access_levels, {"protected_branch_id": created, "kind": kind}, grants)
    report_protection(tx, "create", project_id, created, options.name, {"more": branch_rules(tx, created)})
    return created


def protect_tag(tx: Connection, project_id: int, name: str, grants: Sequence[Grant | Level]) -> int:
    """Protect a tag name or pattern."""
    values = {"project_id": project_id, "name": name}
    created = _insert(tx, protected_tags, values, f"Protected tag '{name}' already exists")
    _add(tx, project_id, protected_tag_access_levels, {"protected_tag_id": created}, grants)
    report_protection(tx, "create", project_id, created, name, kind="protected_tag")
    return created


def change_branch(
    tx: Connection, project_id: int, row: ProtectedBranchRow, values: dict[str, bool], grants: dict[str, list[Grant]]
) -> None:
    """Change switches and entries: new ones are added, entries with an id are changed or removed."""
    before = branch_rules(tx, row.id)
    tx.execute(update(protected_branches).where(protected_branches.c.id == row.id).values(**values, updated_at=now()))
    levels = protected_branch_access_levels
    for kind, entries in grants.items():
        known = {"protected_branch_id": row.id, "kind": kind}
        for entry in entries:
            if entry.id is None:
                _add(tx, project_id, levels, known, [entry])
                continue
            here = (levels.c.id == entry.id) & (levels.c.protected_branch_id == row.id) & (levels.c.kind == kind)
            if tx.execute(select(levels.c.id).where(here)).first() is None:
                raise Failure(404, "404 Not found")
            if entry.destroy:
                tx.execute(delete(levels).where(here))
            elif subject := _subject(entry):
                _require_access(tx, project_id, subject)
                tx.execute(
                    update(levels)
                    .where(here)
                    .values(**{"access_level": None, "user_id": None, "group_id": None, **subject})
                )
    details = {"before": before, "after": branch_rules(tx, row.id)}
    report_protection(tx, "update", project_id, row.id, row.name, details)


def unprotect_branch(tx: Connection, row: ProtectedBranchRow) -> None:
    """Remove the protection."""
    tx.execute(delete(protected_branches).where(protected_branches.c.id == row.id))
    report_protection(tx, "delete", row.project_id, row.id, row.name)


def unprotect_tag(tx: Connection, row: ProtectedTagRow) -> None:
    """Remove the protection."""
    tx.execute(delete(protected_tags).where(protected_tags.c.id == row.id))
    report_protection(tx, "delete", row.project_id, row.id, row.name, kind="protected_tag")


def branch_rules(tx: Connection, branch_id: int) -> dict[str, object]:
    """The rules of a protected branch, in words."""
    row = tx.execute(select(protected_branches).where(protected_branches.c.id == branch_id)).one()
    levels = protected_branch_access_levels
    rules: dict[str, list[str]] = {"push": [], "merge": [], "unprotect": []}
    for one in tx.execute(select(levels).where(levels.c.protected_branch_id == branch_id).order_by(levels.c.id)):
        rules[one.kind].append(_described(one))
    return {
        **{f"{kind}_access_levels": texts for kind, texts in rules.items()},
        "allow_force_push": row.allow_force_push,
        "code_owner_approval_required": row.code_owner_approval_required,
    }


def _described(grant: RuleGrantRow) -> str:
    if grant.user_id is not None:
        return f"user {grant.user_id}"
    if grant.group_id is not None:
        return f"group {grant.group_id}"
    return ROLE_NAMES.get(grant.access_level or 0, "No one")


def report_protection(
    tx: Connection,
    action: str,
    project_id: int,
    record_id: int,
    name: str,
    more: Mapping[str, object] | None = None,
    kind: str = "protected_branch",
) -> None:
    """Report a change of what is protected."""
    details = {"type": kind, "name": name, **(more or {})}
    report_change(tx, Change("audited_record", action, record_id, project_id=project_id, details=details))


def usual(grants: list[Grant], level: int | None, fallback: int | None = MAINTAINER) -> list[Grant | Level]:
    """The entries of a new rule: the given ones, the given role, or the default role."""
    if level is not None:
        return [*grants, Level(level)]
    if grants or fallback is None:
        return list(grants)
    return [Level(fallback)]


def _insert(tx: Connection, table: Table, values: Mapping[str, object], taken: str) -> int:
    moment = now()
    try:
        with tx.begin_nested():
            created = tx.execute(
                insert(table).values(**values, created_at=moment, updated_at=moment).returning(table.c.id)
            )
            return int(created.scalar_one())
    except IntegrityError:
        raise Failure(409, taken) from None


def _add(
    tx: Connection, project_id: int, levels: Table, known: Mapping[str, object], grants: Sequence[Grant | Level]
) -> None:
    seen: set[tuple[str, int]] = set()
    for grant in grants:
        subject = _subject(grant)
        if not subject or grant.destroy:
            continue
        key = next(iter(subject.items()))
        if key in seen:
            continue
        seen.add(key)
        _require_access(tx, project_id, subject)
        same = [levels.c[name] == value for name, value in {**known, **subject}.items()]
        if tx.execute(select(levels.c.id).where(*same)).first() is None:
            tx.execute(insert(levels).values(**known, **subject))


def _subject(grant: Grant | Level) -> dict[str, int]:
    """The subject of an entry; a user or group wins over a role."""
    for name in ("user_id", "group_id", "access_level"):
        value = getattr(grant, name)
        if value is not None:
            return {name: int(value)}
    return {}


def _require_access(tx: Connection, project_id: int, subject: dict[str, int]) -> None:
    if not has_access(tx, project_id, subject):
        raise Texts(422, [NO_ACCESS_TO_PROJECT])


def has_access(tx: Connection, project_id: int, subject: Mapping[str, int]) -> bool:
    """The user or group of an entry (`user_id`, `group_id`) has access to the project; roles always do."""
    if "group_id" in subject:
        return _group_access(tx, project_id, subject["group_id"]) is not None
    if "user_id" not in subject:
        return True
    rights, user_id = project_authorizations, subject["user_id"]
    known = select(rights.c.user_id).where(rights.c.project_id == project_id, rights.c.user_id == user_id)
    seats = select(members.c.id).where(members.c.project_id == project_id, members.c.user_id == user_id)
    return tx.execute(known).first() is not None or tx.execute(seats).first() is not None


def _group_access(tx: Connection, project_id: int, group_id: int) -> Any:
    """A group has access when the project is shared with it, or lies in or below it or a group shared with it."""
    shared = select(project_group_links.c.id).where(
        project_group_links.c.project_id == project_id, project_group_links.c.group_id == group_id
    )
    above = (
        select(namespace_ancestors.c.ancestor_id)
        .join(projects, projects.c.namespace_id == namespace_ancestors.c.namespace_id)
        .where(projects.c.id == project_id)
    )
    inherited = select(group_group_links.c.id).where(
        group_group_links.c.invited_group_id == group_id, group_group_links.c.group_id.in_(above)
    )
    inside = above.where(namespace_ancestors.c.ancestor_id == group_id)
    for statement in (shared, inside, inherited):
        if (row := tx.execute(statement).first()) is not None:
            return row
    return None
