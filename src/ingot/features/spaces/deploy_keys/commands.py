"""Changing deploy keys."""

from collections.abc import Mapping
from datetime import timedelta

from sqlalchemy import Connection, delete, insert, select, update

from ingot.features.people.users import key_fingerprint, keys_elsewhere, register_machine_keys, user_keys
from ingot.features.spaces.deploy_keys import queries
from ingot.features.spaces.deploy_keys.params import CreateInstanceKey, CreateProjectKey
from ingot.features.spaces.deploy_keys.rows import DeployKeyRow
from ingot.features.spaces.deploy_keys.tables import deploy_key_projects, deploy_keys
from ingot.instance.key_rules import key_problem
from ingot.kit.actor import Actor
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.errors import Invalid
from ingot.kit.public_keys import on_one_line, read_public_key

LONGEST_TITLE = 255
LAST_USED_STEP = timedelta(days=1)
TAKEN = ["has already been taken"]


def create_public(tx: Connection, actor: Actor, options: CreateInstanceKey) -> DeployKeyRow:
    """A key that every project may use."""
    fingerprint = _require_fingerprint(tx, options.key, prefix="")
    _check_title(options.title, prefix="")
    if _is_taken(tx, fingerprint):
        raise Invalid({"fingerprint_sha256": TAKEN})
    row = _insert(tx, actor, options, fingerprint, is_public=True)
    _report_use(tx, "add", row.id, None)
    return row


def create_in_project(tx: Connection, actor: Actor, project_id: int, options: CreateProjectKey) -> DeployKeyRow:
    """Enable a key in a project: an existing one that the actor may use, or a new one."""
    fingerprint = _require_fingerprint(tx, options.key, prefix="deploy_key.")
    _check_title(options.title, prefix="deploy_key.")
    here = queries.keys_in_project(project_id).where(deploy_keys.c.fingerprint == fingerprint)
    present: DeployKeyRow | None = tx.execute(here).one_or_none()
    if present is not None:
        return present
    _remove_unused(tx, fingerprint)
    reached = select(deploy_keys).where(deploy_keys.c.fingerprint == fingerprint, queries.within_reach(actor))
    row: DeployKeyRow | None = tx.execute(reached).one_or_none()
    if row is None:
        if _is_taken(tx, fingerprint):
            raise Invalid({"deploy_key.fingerprint_sha256": TAKEN})
        row = _insert(tx, actor, options, fingerprint, is_public=False)
    enable(tx, row.id, project_id, can_push=options.can_push)
    return row


def enable(tx: Connection, key_id: int, project_id: int, *, can_push: bool = False) -> None:
    """Enable an existing key in a project."""
    if queries.deploy_key_may_push(tx, key_id, project_id) is None:
        values = {"deploy_key_id": key_id, "project_id": project_id, "can_push": can_push, "created_at": now()}
        tx.execute(insert(deploy_key_projects).values(values))
        _report_use(tx, "add", key_id, project_id, {"can_push": can_push})


def let_in_known_key(tx: Connection, actor: Actor, project_id: int, key: str, *, may_push: bool) -> bool:
    """Let a key in that the actor could let in; False where there is none. It may push only where it already may, in
    a project that the actor maintains."""
    fingerprint = key_fingerprint(key)
    reached = select(deploy_keys.c.id).where(deploy_keys.c.fingerprint == fingerprint, queries.within_reach(actor))
    key_id = tx.execute(reached).scalar_one_or_none()
    if fingerprint is None or key_id is None:
        return False
    opened = deploy_key_projects
    pushes = select(opened.c.id).where(opened.c.deploy_key_id == key_id, opened.c.can_push)
    if not actor.is_admin:
        pushes = pushes.where(opened.c.project_id.in_(queries.maintained_projects(actor)))
    enable(tx, key_id, project_id, can_push=may_push and tx.execute(pushes.limit(1)).first() is not None)
    return True


def update_title(tx: Connection, actor: Actor, row: DeployKeyRow, title: str) -> None:
    """Change the title, if the key belongs to the actor or to one project only; otherwise it stays."""
    _check_title(title, prefix="")
    opened = select(deploy_key_projects.c.id).where(deploy_key_projects.c.deploy_key_id == row.id).limit(2)
    is_of_one_project = not row.is_public and len(tx.execute(opened).all()) == 1
    if actor.is_admin or row.user_id == actor.user_id or is_of_one_project:
        tx.execute(update(deploy_keys).where(deploy_keys.c.id == row.id).values(title=title))


def update_right(tx: Connection, row: DeployKeyRow, project_id: int, *, can_push: bool) -> None:
    """Change whether the key may push to the project."""
    opened = deploy_key_projects
    before = queries.deploy_key_may_push(tx, row.id, project_id)
    condition = (opened.c.deploy_key_id == row.id) & (opened.c.project_id == project_id)
    tx.execute(update(opened).where(condition).values(can_push=can_push))
    details = {"type": "deploy_key", "name": row.title, "before": {"can_push": before}, "after": {"can_push": can_push}}
    report_change(tx, Change("audited_record", "update", row.id, project_id=project_id, details=details))


def move_deploy_keys(tx: Connection, source_id: int, project_id: int) -> None:
    """Let the keys of a project into another that takes its place."""
    opened = deploy_key_projects
    present = select(opened.c.deploy_key_id).where(opened.c.project_id == project_id)
    moved = (opened.c.project_id == source_id) & opened.c.deploy_key_id.not_in(present)
    tx.execute(update(opened).where(moved).values(project_id=project_id))


def remove_from_project(tx: Connection, row: DeployKeyRow, project_id: int) -> None:
    """Remove the key from the project; a private key without projects is deleted."""
    opened = deploy_key_projects
    tx.execute(delete(opened).where(opened.c.deploy_key_id == row.id, opened.c.project_id == project_id))
    _report_use(tx, "remove", row.id, project_id)
    _remove_unused(tx, row.fingerprint)


def _report_use(
    tx: Connection, action: str, key_id: int, project_id: int | None, more: Mapping[str, object] | None = None
) -> None:
    """Report that a key opens a project (or any, if none is named), or no longer does."""
    title = tx.execute(select(deploy_keys.c.title).where(deploy_keys.c.id == key_id)).scalar_one()
    details = {"type": "deploy_key", "name": title, "more": more or {}}
    report_change(tx, Change("audited_record", action, key_id, project_id=project_id, details=details))


def _remove_unused(tx: Connection, fingerprint: str) -> None:
    opened = select(deploy_key_projects.c.id).where(deploy_key_projects.c.deploy_key_id == deploy_keys.c.id)
    unused = (deploy_keys.c.fingerprint == fingerprint) & ~deploy_keys.c.is_public & ~opened.exists()
    for row in tx.execute(delete(deploy_keys).where(unused).returning(*deploy_keys.c)).all():
        _report(tx, "destroy", row)


def _insert(
    tx: Connection, actor: Actor, options: CreateInstanceKey, fingerprint: str, *, is_public: bool
) -> DeployKeyRow:
    created = insert(deploy_keys).values(
        user_id=actor.user_id,
        title=options.title,
        key=on_one_line(options.key),
        fingerprint=fingerprint,
        is_public=is_public,
        expires_at=options.expires_at,
        created_at=now(),
    )
    row: DeployKeyRow = tx.execute(created.returning(*deploy_keys.c)).one()
    _report(tx, "create", row)
    return row


def _report(tx: Connection, action: str, row: DeployKeyRow) -> None:
    details = {"key": row.key, "created_at": row.created_at}
    report_change(tx, Change("key", action, row.id, user_id=row.user_id, details=details))


def _is_taken(tx: Connection, fingerprint: str) -> bool:
    """A deploy key or a user has the key already."""
    if queries.deploy_key_by_fingerprint(tx, fingerprint) is not None:
        return True
    return tx.execute(select(user_keys.c.id).where(user_keys.c.fingerprint == fingerprint)).first() is not None


def _require_fingerprint(tx: Connection, text: str, prefix: str) -> str:
    key = read_public_key(text)
    if key is None or key.weakness is not None:
        invalid = {f"{prefix}key": ["is invalid"], f"{prefix}fingerprint_sha256": ["cannot be generated"]}
        raise Invalid(invalid)
    problem = key_problem(tx, key)
    if problem is not None:
        raise Invalid({f"{prefix}key": [problem]})
    return key.sha256


def _check_title(title: str, prefix: str) -> None:
    if not title.strip():
        raise Invalid({f"{prefix}title": ["can't be blank"]})
    if len(title) > LONGEST_TITLE:
        raise Invalid({f"{prefix}title": [f"is too long (maximum is {LONGEST_TITLE} characters)"]})


register_machine_keys(queries.all_keys, queries.projects_of_key)


@keys_elsewhere
def _is_deploy_key(tx: Connection, mark: str) -> bool:
    return queries.deploy_key_by_fingerprint(tx, mark) is not None


def is_deploy_key_use_noted(conn: Connection, key_id: int) -> bool:
    """Whether `note_deploy_key_use` would change nothing."""
    is_noted = deploy_keys.c.last_used_at >= now() - LAST_USED_STEP
    return conn.execute(select(deploy_keys.c.id).where(deploy_keys.c.id == key_id, is_noted)).first() is not None


def note_deploy_key_use(tx: Connection, key_id: int) -> None:
    """Remember that the key was used, at most once a day."""
    moment = now()
    is_old = deploy_keys.c.last_used_at.is_(None) | (deploy_keys.c.last_used_at < moment - LAST_USED_STEP)
    tx.execute(update(deploy_keys).where(deploy_keys.c.id == key_id, is_old).values(last_used_at=moment))
