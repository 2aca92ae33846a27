"""Protecting environments, and changing the rules."""

from collections.abc import Sequence

from sqlalchemy import Connection, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from ingot.access.levels import ROLE_NAMES
from ingot.access.tables import group_authorizations, group_group_links, namespace_ancestors
from ingot.features.ci.protected_environments.params import DeployEntry, EnvironmentRules, ProtectEnvironment
from ingot.features.ci.protected_environments.queries import Place, of_place
from ingot.features.ci.protected_environments.rows import EntryRow, ProtectedEnvironmentRow
from ingot.features.ci.protected_environments.tables import protected_environment_entries, protected_environments
from ingot.features.code.protected_branches import has_access
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.db import take_turn
from ingot.kit.errors import Failure, RecordNotFound, Texts

TIERS = ("production", "staging", "testing", "development", "other")
MOST = 100  # every job that deploys looks at all of them
MOST_ENTRIES = 100  # of each kind at once: each is a statement or two
KINDS = {"deploy": "deploy_access_levels", "approval": "approval_rules"}
SUBJECTS = ("user_id", "group_id", "access_level")


def protect(tx: Connection, place: Place, options: ProtectEnvironment) -> ProtectedEnvironmentRow:
    """Protect an environment, or a tier of a group."""
    if "group_id" in place and options.name not in TIERS:
        raise Texts(422, [f"Name must be one of environment tiers: {', '.join(TIERS)}."])
    take_turn(tx, f"protected_environments:{place}")
    if tx.execute(select(func.count()).where(of_place(place))).scalar_one() >= MOST:
        raise Texts(422, [f"Maximum number of protected environments ({MOST}) exceeded"])
    values = {"name": options.name, "required_approval_count": options.required_approval_count or 0}
    created = insert(protected_environments).values(**place, **values, created_at=now(), updated_at=now())
    try:
        with tx.begin_nested():
            row: ProtectedEnvironmentRow = tx.execute(created.returning(*protected_environments.c)).one()
    except IntegrityError:
        raise Failure(409, f"Protected environment '{options.name}' already exists") from None
    _change_entries(tx, place, row, options)
    if not _described(tx, row)["deploy_access_levels"]:
        raise Texts(422, ["Deploy access levels can't be blank"])
    report(tx, "create", row, {"more": _described(tx, row)})
    return row


def change(tx: Connection, place: Place, row: ProtectedEnvironmentRow, options: EnvironmentRules) -> None:
    """Entries with an id are changed or removed, others are added."""
    before = _described(tx, row)
    values = {} if options.required_approval_count is None else {
        "required_approval_count": options.required_approval_count
    }  # fmt: skip
    here = protected_environments.c.id == row.id
    tx.execute(update(protected_environments).where(here).values(**values, updated_at=now()))
    _change_entries(tx, place, row, options)
    after = _described(tx, row)
    if not after["deploy_access_levels"]:
        raise Texts(422, ["Deploy access levels can't be blank"])
    report(tx, "update", row, {"before": before, "after": after})


def report(tx: Connection, action: str, row: ProtectedEnvironmentRow, more: dict[str, object] | None = None) -> None:
    """Report a change of what is protected."""
    details = {"type": "protected_environment", "name": row.name, **(more or {})}
    change = Change("audited_record", action, row.id, project_id=row.project_id, group_id=row.group_id, details=details)
    report_change(tx, change)


def _change_entries(tx: Connection, place: Place, row: ProtectedEnvironmentRow, options: EnvironmentRules) -> None:
    for kind, name in KINDS.items():
        entries: Sequence[DeployEntry] = getattr(options, name)
        if len(entries) > MOST_ENTRIES:
            text = name.replace("_", " ").capitalize()
            raise Texts(422, [f"{text} is too long (maximum is {MOST_ENTRIES} entries)"])
        for entry in entries:
            _change_entry(tx, place, row, kind, entry)


def _change_entry(tx: Connection, place: Place, row: ProtectedEnvironmentRow, kind: str, entry: DeployEntry) -> None:
    table = protected_environment_entries
    here = (table.c.id == entry.id) & (table.c.protected_environment_id == row.id) & (table.c.kind == kind)
    if entry.id is not None and tx.execute(select(table.c.id).where(here)).first() is None:
        raise RecordNotFound
    if entry.destroy:
        tx.execute(delete(table).where(here))
        return
    values = _values(tx, place, entry)
    if entry.id is not None:
        if values:
            tx.execute(update(table).where(here).values(**values))
        return
    if not any(name in values for name in SUBJECTS):
        raise Texts(422, [f"{KINDS[kind].replace('_', ' ').capitalize()} need a role, a user or a group"])
    tx.execute(insert(table).values(protected_environment_id=row.id, kind=kind, **values))


def _values(tx: Connection, place: Place, entry: DeployEntry) -> dict[str, int | None]:
    """What an entry says; a user or group wins over a role."""
    values: dict[str, int | None] = {}
    for name in SUBJECTS:
        number = getattr(entry, name)
        if number is not None:
            values = {**dict.fromkeys(SUBJECTS), name: int(number)}
            if name != "access_level":
                _require_access(tx, place, name, int(number))
            break
    for name in ("group_inheritance_type", "required_approvals"):
        number = getattr(entry, name, None)
        if number is not None:
            values[name] = int(number)
    return values


def _require_access(tx: Connection, place: Place, name: str, number: int) -> None:
    if "project_id" in place:
        allowed = has_access(tx, place["project_id"], {name: number})
    elif name == "user_id":
        seats = group_authorizations
        query = select(seats.c.user_id).where(seats.c.group_id == place["group_id"], seats.c.user_id == number)
        allowed = tx.execute(query).first() is not None
    else:
        allowed = _is_group_of(tx, place["group_id"], number)
    if not allowed:
        raise Texts(422, ["Cannot add users or groups unless they have access to the project"])


def _is_group_of(tx: Connection, group_id: int, number: int) -> bool:
    """The group itself, one below it, or one that it is shared with."""
    below = select(namespace_ancestors.c.namespace_id).where(
        namespace_ancestors.c.ancestor_id == group_id, namespace_ancestors.c.namespace_id == number
    )
    invited = select(group_group_links.c.id).where(
        group_group_links.c.group_id == group_id, group_group_links.c.invited_group_id == number
    )
    return tx.execute(below).first() is not None or tx.execute(invited).first() is not None


def _described(tx: Connection, row: ProtectedEnvironmentRow) -> dict[str, list[str]]:
    """The rules in words."""
    table = protected_environment_entries
    texts: dict[str, list[str]] = {name: [] for name in KINDS.values()}
    query = select(table).where(table.c.protected_environment_id == row.id).order_by(table.c.id)
    for entry in tx.execute(query):
        texts[KINDS[entry.kind]].append(_word(entry))
    return texts


def _word(entry: EntryRow) -> str:
    if entry.user_id is not None:
        return f"user {entry.user_id}"
    if entry.group_id is not None:
        return f"group {entry.group_id}"
    return ROLE_NAMES.get(entry.access_level or 0, "Administrator")
