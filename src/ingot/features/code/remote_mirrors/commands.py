"""Changing push mirrors, and queueing their updates."""

from sqlalchemy import Connection, func, insert, select, update

from ingot.access.call import Call
from ingot.features.code.remote_mirrors.addresses import checked_address
from ingot.features.code.remote_mirrors.params import CreateMirror, MirrorOptions, UpdateMirror
from ingot.features.code.remote_mirrors.rows import MirrorRow
from ingot.features.code.remote_mirrors.tables import remote_mirrors
from ingot.instance.outbound import is_silent
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.db import take_turn
from ingot.kit.errors import Invalid
from ingot.kit.jobs import enqueue
from ingot.kit.public_keys import read_public_key
from ingot.kit.regexps import regexp_error
from ingot.kit.sealing import seal
from ingot.kit.services import Services

UPDATE = "update_remote_mirror"
MOST = 10  # each is pushed to after every change
MOST_HOST_KEYS = 10
SWITCHES = ("enabled", "only_protected_branches", "keep_divergent_refs")
NEVER_UPDATED = {
    "update_status": "none",
    "last_error": None,
    "last_update_at": None,
    "last_update_started_at": None,
    "last_successful_update_at": None,
}


def create(tx: Connection, call: Call[CreateMirror]) -> MirrorRow:
    """A new mirror; an enabled one is updated at once."""
    project_id, moment = call.project.id, now()
    values = {"host_keys": [], **_values(tx, call), **_key(call.services, call.params.auth_method)}
    take_turn(tx, f"remote_mirrors:{project_id}")
    here = select(func.count()).where(remote_mirrors.c.project_id == project_id)
    if tx.execute(here).scalar_one() >= MOST:
        raise Invalid({"base": [f"A project has at most {MOST} push mirrors"]})
    statement = insert(remote_mirrors).values(project_id=project_id, created_at=moment, updated_at=moment, **values)
    row: MirrorRow = tx.execute(statement.returning(*remote_mirrors.c)).one()
    report(tx, "create", row)
    return queue_update(tx, row) if row.enabled else row


def change(tx: Connection, call: Call[UpdateMirror], row: MirrorRow) -> MirrorRow:
    """Change what was sent."""
    values = _values(tx, call)
    method = call.params.auth_method
    if method is not None and method != row.auth_method:
        values |= _key(call.services, method)
    if values.get("url", row.url) != row.url:
        # Another host: what the former one is known by does not count there.
        values = {"host_keys": [], **NEVER_UPDATED, **values}
    statement = update(remote_mirrors).where(remote_mirrors.c.id == row.id).values(**values, updated_at=now())
    result: MirrorRow = tx.execute(statement.returning(*remote_mirrors.c)).one()
    report(tx, "update", result, row)
    has_begun = result.enabled and (not row.enabled or call.params.url is not None)  # maybe with another login
    return queue_update(tx, result) if has_begun else result


def queue_update(tx: Connection, row: MirrorRow) -> MirrorRow:
    """Update a mirror in the background."""
    queue_updates(tx, row.project_id, [row.id])
    result: MirrorRow = tx.execute(select(remote_mirrors).where(remote_mirrors.c.id == row.id)).one()
    return result


def queue_updates(tx: Connection, project_id: int, mirror_ids: list[int]) -> None:
    """Update mirrors in the background; a running update is followed by another. In silence none begins."""
    if is_silent(tx):
        return
    waiting = remote_mirrors.c.id.in_(mirror_ids) & (remote_mirrors.c.update_status != "started")
    tx.execute(update(remote_mirrors).where(waiting).values(update_status="scheduled"))
    for mirror_id in mirror_ids:
        args = {"mirror_id": mirror_id}
        enqueue(tx, UPDATE, key=f"{UPDATE}-{mirror_id}", args=args, subject=f"project:{project_id}", rerun=True)


def report(tx: Connection, action: str, row: MirrorRow, before: MirrorRow | None = None) -> None:
    """Report a change of the mirrors."""
    details: dict[str, object] = {"type": "push_mirror", "name": row.shown_url}
    if before is not None:
        details |= {"before": _facts(before), "after": _facts(row)}
    report_change(tx, Change("audited_record", action, row.id, project_id=row.project_id, details=details))


def _facts(row: MirrorRow) -> dict[str, object]:
    names = ("shown_url", "auth_method", "mirror_branch_regex", *SWITCHES)
    return {name: getattr(row, name) for name in names}


def _values(tx: Connection, call: Call[CreateMirror] | Call[UpdateMirror]) -> dict[str, object]:
    options = call.params
    values: dict[str, object] = {name: value for name in SWITCHES if (value := getattr(options, name)) is not None}
    if options.auth_method is not None:
        values["auth_method"] = options.auth_method
    if options.url is not None:
        address = checked_address(call.services, tx, options.url)
        sealed = None if address.login is None else seal(call.services, address.login)
        values |= {"url": address.url, "shown_url": address.shown, "sealed_login": sealed}
    return values | _chosen(options) | _host_keys(options)


def _chosen(options: MirrorOptions) -> dict[str, object]:
    """A pattern of branches and the switch of protected ones take each other's place."""
    if options.only_protected_branches:
        return {"mirror_branch_regex": None}
    if "mirror_branch_regex" not in options.sent:
        return {}
    text = options.mirror_branch_regex or None
    if text is not None and (problem := regexp_error(text)) is not None:
        raise Invalid({"mirror_branch_regex": [f"not valid RE2 syntax: {problem}"]})
    return {"mirror_branch_regex": text} | ({"only_protected_branches": False} if text else {})


def _host_keys(options: MirrorOptions) -> dict[str, object]:
    if "host_keys" not in options.sent:
        return {}
    keys = [read_public_key(text) for text in options.host_keys]
    if None in keys or len(keys) > MOST_HOST_KEYS:
        raise Invalid({"host_keys": ["are invalid"]})
    return {"host_keys": [key.text for key in keys if key is not None]}


def _key(services: Services, method: str | None) -> dict[str, object]:
    """A new pair of keys where the mirror is to log in by one."""
    if method != "ssh_public_key":
        return {"sealed_key": None, "public_key": None}
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH)
    return {"sealed_key": seal(services, private.decode()), "public_key": public.decode()}
