"""Protecting branches in all projects below a group."""

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from ingot.access.levels import MAINTAINER, ROLE_NAMES
from ingot.features.code.protected_branches.params import GroupBranchRules, ProtectGroupBranch, RoleGrant
from ingot.features.code.protected_branches.rows import GroupProtectedBranchRow
from ingot.features.code.protected_branches.tables import (
    group_protected_branch_access_levels,
    group_protected_branches,
)
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.errors import Failure, RecordNotFound

KINDS = ("push", "merge", "unprotect")
SWITCHES = ("allow_force_push", "code_owner_approval_required")


def protect(tx: Connection, group_id: int, options: ProtectGroupBranch) -> GroupProtectedBranchRow:
    """Protect a name or pattern; 409 when it is protected already."""
    switches = {name: bool(getattr(options, name)) for name in SWITCHES}
    created = insert(group_protected_branches).values(
        group_id=group_id, name=options.name, **switches, created_at=now(), updated_at=now()
    )
    try:
        with tx.begin_nested():
            row: GroupProtectedBranchRow = tx.execute(created.returning(*group_protected_branches.c)).one()
    except IntegrityError:
        raise Failure(409, f"Protected branch '{options.name}' already exists") from None
    for kind in KINDS:
        level, entries = getattr(options, f"{kind}_access_level"), getattr(options, f"allowed_to_{kind}")
        levels = [entry.access_level for entry in entries if entry.access_level is not None]
        levels += [level] if level is not None else []
        for one in dict.fromkeys(levels or [MAINTAINER]):
            _add(tx, row.id, kind, one)
    report(tx, "create", row, {"more": _rules(tx, row)})
    return row


def change(tx: Connection, row: GroupProtectedBranchRow, options: GroupBranchRules) -> None:
    """Change switches and entries: new ones are added, entries with an id are changed or removed."""
    before = _rules(tx, row)
    switches = {name: bool(value) for name in SWITCHES if (value := getattr(options, name)) is not None}
    here = group_protected_branches.c.id == row.id
    tx.execute(update(group_protected_branches).where(here).values(**switches, updated_at=now()))
    for kind in KINDS:
        for entry in getattr(options, f"allowed_to_{kind}"):
            _change_entry(tx, row.id, kind, entry)
    changed = tx.execute(select(group_protected_branches).where(here)).one()
    report(tx, "update", row, {"before": before, "after": _rules(tx, changed)})


def report(tx: Connection, action: str, row: GroupProtectedBranchRow, more: dict[str, object] | None = None) -> None:
    """Report a change of what is protected."""
    details = {"type": "protected_branch", "name": row.name, **(more or {})}
    report_change(tx, Change("audited_record", action, row.id, group_id=row.group_id, details=details))


def _change_entry(tx: Connection, branch_id: int, kind: str, entry: RoleGrant) -> None:
    levels = group_protected_branch_access_levels
    if entry.id is None:
        if entry.access_level is not None and not entry.destroy:
            _add(tx, branch_id, kind, entry.access_level)
        return
    here = (levels.c.id == entry.id) & (levels.c.protected_branch_id == branch_id) & (levels.c.kind == kind)
    if tx.execute(select(levels.c.id).where(here)).first() is None:
        raise RecordNotFound
    if entry.destroy:
        tx.execute(delete(levels).where(here))
    elif entry.access_level is not None:
        tx.execute(update(levels).where(here).values(access_level=entry.access_level))


def _add(tx: Connection, branch_id: int, kind: str, level: int) -> None:
    levels = group_protected_branch_access_levels
    values = {"protected_branch_id": branch_id, "kind": kind, "access_level": level}
    same = [levels.c[name] == value for name, value in values.items()]
    if tx.execute(select(levels.c.id).where(*same)).first() is None:
        tx.execute(insert(levels).values(**values))


def _rules(tx: Connection, row: GroupProtectedBranchRow) -> dict[str, object]:
    """The rules in words."""
    levels = group_protected_branch_access_levels
    texts: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for one in tx.execute(select(levels).where(levels.c.protected_branch_id == row.id).order_by(levels.c.id)):
        texts[one.kind].append(ROLE_NAMES.get(one.access_level, "No one"))
    words: dict[str, object] = {f"{kind}_access_levels": texts[kind] for kind in KINDS}
    return {**words, **{name: getattr(row, name) for name in SWITCHES}}
