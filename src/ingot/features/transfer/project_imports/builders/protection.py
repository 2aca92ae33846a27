"""Protected branches, tags and environments; untrusted access levels become Maintainer."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table, insert, select

from ingot.access.levels import ADMIN, DEVELOPER, MAINTAINER, NO_ACCESS
from ingot.features.ci.protected_environments import protected_environment_entries, protected_environments
from ingot.features.code.protected_branches import (
    protected_branch_access_levels,
    protected_branches,
    protected_tag_access_levels,
    protected_tags,
)
from ingot.features.transfer.project_imports.context import ImportContext
from ingot.features.transfer.project_imports.values import flag, moment_or, number, records, text

BRANCH = frozenset(
    [
        "name",
        "project_id",
        "created_at",
        "updated_at",
        "code_owner_approval_required",
        "allow_force_push",
        "merge_access_levels",
        "push_access_levels",
        "unprotect_access_levels",
    ]
)
TAG = frozenset(["name", "project_id", "created_at", "updated_at", "create_access_levels"])
ENVIRONMENT = frozenset(
    [
        "name", "project_id", "created_at", "updated_at", "required_approval_count", "deploy_access_levels",
        "approval_rules",
    ]
)  # fmt: skip
KNOWN = (NO_ACCESS, DEVELOPER, MAINTAINER, ADMIN)


def _grants(context: ImportContext, children: Sequence[Mapping[str, object]]) -> list[dict[str, Any]]:
    """Access levels, each once: mapped users, else a role; groups are not imported."""
    result: dict[tuple[int | None, int | None], dict[str, Any]] = {}
    for child in children:
        user_id = context.people.of(child.get("user_id"))
        level = None if user_id is not None else _level(context, child)
        result[(user_id, level)] = {"user_id": user_id, "access_level": level}
    return list(result.values())


def _level(context: ImportContext, record: Mapping[str, object]) -> int:
    """Only an owner of the top-level group, or an archive of this instance, may grant more than Maintainer."""
    result = number(record, "access_level")
    allowed = KNOWN if context.trusts_levels else (NO_ACCESS, MAINTAINER)
    return result if result is not None and result in allowed else MAINTAINER


def _protect(
    context: ImportContext, tx: Connection, table: Table, record: Mapping[str, object], **more: object
) -> int | None:
    name = text(record, "name", longest=255, required=True)
    known = select(table.c.id).where(table.c.project_id == context.project.id, table.c.name == name)
    if tx.execute(known).first() is not None:
        return None
    created = moment_or(record, "created_at", context.started)
    created_row = insert(table).values(
        project_id=context.project.id,
        name=name,
        created_at=created,
        updated_at=moment_or(record, "updated_at", created),
        **more,
    )
    return int(tx.execute(created_row.returning(table.c.id)).scalar_one())


def build_branch(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """A line of `protected_branches`."""
    created = _protect(
        context,
        tx,
        protected_branches,
        record,
        allow_force_push=flag(record, "allow_force_push"),
        code_owner_approval_required=flag(record, "code_owner_approval_required"),
    )
    if created is None:
        return
    for kind in ("push", "merge", "unprotect"):
        usual = [] if kind == "unprotect" else [{"access_level": MAINTAINER}]
        for grant in _grants(context, records(record, f"{kind}_access_levels")) or usual:
            tx.execute(insert(protected_branch_access_levels).values(protected_branch_id=created, kind=kind, **grant))
    context.keep_rest(tx, "protected_branches", created, record, BRANCH)


def build_tag(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """A line of `protected_tags`."""
    created = _protect(context, tx, protected_tags, record)
    if created is None:
        return
    for grant in _grants(context, records(record, "create_access_levels")) or [{"access_level": MAINTAINER}]:
        tx.execute(insert(protected_tag_access_levels).values(protected_tag_id=created, **grant))
    context.keep_rest(tx, "protected_tags", created, record, TAG)


def build_environment(context: ImportContext, tx: Connection, record: Mapping[str, object]) -> None:
    """A line of `protected_environments`."""
    approvals = min(max(number(record, "required_approval_count") or 0, 0), 1000)
    created = _protect(context, tx, protected_environments, record, required_approval_count=approvals)
    if created is None:
        return
    for kind, name in (("deploy", "deploy_access_levels"), ("approval", "approval_rules")):
        children = records(record, name)
        if kind == "deploy" and not children:
            children = [{"access_level": MAINTAINER}]
        for child in children:
            for grant in _grants(context, [child]):
                values = {**grant, "access_level": grant["access_level"] or (None if grant["user_id"] else MAINTAINER)}
                needed = min(max(number(child, "required_approvals") or 1, 1), 1000)
                entry = insert(protected_environment_entries).values(
                    protected_environment_id=created, kind=kind, required_approvals=needed, **values
                )
                tx.execute(entry)
    context.keep_rest(tx, "protected_environments", created, record, ENVIRONMENT)
