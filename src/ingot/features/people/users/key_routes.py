"""Endpoints of users' SSH keys."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR, ANYONE, SIGNED_IN
from ingot.features.people.users import presenting, queries, ssh_keys
from ingot.features.people.users.entities import DeployKeyProject, Key, KeyWithUser
from ingot.features.people.users.key_queries import find_by_fingerprint, find_key, find_machine_key, with_comment
from ingot.features.people.users.params import AddKey, FindKey
from ingot.features.people.users.rows import KeyProjectRow, MachineKeyRow, UserKeyRow
from ingot.features.people.users.tables import keys
from ingot.identity.authentication import user_by_name_or_id
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import wire, wire_or_none
from ingot.kit.errors import NotFound
from ingot.kit.params import Paging

key_routes = Routes("Users", scopes=("read_user",))


@key_routes.get("/user/keys", guard=SIGNED_IN, params=Paging, returns=list[Key])
def list_current_user_keys(call: Call[Paging]) -> Answer:
    """The caller's SSH keys."""
    return _key_page(call, call.actor.id)


@key_routes.get("/users/{user_id}/keys", guard=ANYONE, params=Paging, returns=list[Key])
def list_user_keys(call: Call[Paging]) -> Answer:
    """A user's SSH keys, by id or username."""
    row = user_by_name_or_id(call.conn, call.path["user_id"])
    if row is None:
        raise NotFound("User")
    return _key_page(call, row.id)


@key_routes.get("/user/keys/{key_id:int}", guard=SIGNED_IN, returns=Key)
def get_current_user_key(call: Call) -> Answer:
    """One of the caller's SSH keys."""
    return show_key(call, _own(call, call.actor.id))


@key_routes.get("/users/{id:int}/keys/{key_id:int}", guard=ANYONE, returns=Key)
def get_user_key(call: Call) -> Answer:
    """One of a user's SSH keys."""
    user_id = queries.get_user(call.conn, int(call.path["id"])).id
    return show_key(call, _own(call, user_id))


@key_routes.post("/user/keys", guard=SIGNED_IN, params=AddKey, returns=Key)
def add_current_user_key(call: Call[AddKey]) -> Answer:
    """Add an SSH key to the caller's account."""
    return show_key(call, ssh_keys.add(call, call.actor.id, call.params))


@key_routes.post("/users/{id:int}/keys", guard=ADMINISTRATOR, params=AddKey, returns=Key)
def add_user_key(call: Call[AddKey]) -> Answer:
    """Add an SSH key to a user's account (administrators)."""
    return show_key(call, ssh_keys.add(call, queries.get_user(call.conn, int(call.path["id"])).id, call.params))


@key_routes.delete("/user/keys/{key_id:int}", guard=SIGNED_IN)
def delete_current_user_key(call: Call) -> Answer:
    """Remove one of the caller's SSH keys."""
    ssh_keys.remove(call, _own(call, call.actor.id))


@key_routes.delete("/users/{id:int}/keys/{key_id:int}", guard=ADMINISTRATOR)
def delete_user_key(call: Call) -> Answer:
    """Remove one of a user's SSH keys (administrators)."""
    user_id = queries.get_user(call.conn, int(call.path["id"])).id
    ssh_keys.remove(call, _own(call, user_id))


@key_routes.get("/keys", guard=ADMINISTRATOR, params=FindKey, returns=KeyWithUser)
def get_key_by_fingerprint(call: Call[FindKey]) -> Answer:
    """The SSH key with a fingerprint, and its owner; a deploy key with its projects (administrators)."""
    row = find_by_fingerprint(call.conn, call.params.fingerprint)
    machine = find_machine_key(call.conn, call.params.fingerprint) if row is None else None
    return _with_user(call, row) if machine is None else _with_projects(call, *machine)


@key_routes.get("/keys/{id:int}", guard=ADMINISTRATOR, returns=KeyWithUser)
def get_key(call: Call) -> Answer:
    """An SSH key with its owner (administrators)."""
    return _with_user(call, find_key(call.conn, int(call.path["id"])))


def _key_page(call: Call, user_id: int) -> Answer:
    query = select(keys).where(keys.c.user_id == user_id).order_by(keys.c.id)
    name = queries.get_user(call.conn, user_id).name

    def present(call: Call, rows: Sequence[UserKeyRow]) -> list[Key]:
        return [Key(**_fields(row, name, call.base_url)) for row in rows]

    return call.page(query, present)


def show_key(call: Call, row: UserKeyRow) -> Key:
    """A key as everybody sees it."""
    return Key(**_fields(row, queries.get_user(call.conn, row.user_id).name, call.base_url))


def _with_user(call: Call, row: UserKeyRow | None) -> KeyWithUser:
    if row is None:
        raise NotFound("Key")
    user = queries.get_user(call.conn, row.user_id)
    return KeyWithUser(**_fields(row, user.name, call.base_url), user=presenting.present_one(call, user))


def _with_projects(call: Call, row: MachineKeyRow, links: Sequence[KeyProjectRow]) -> KeyWithUser:
    user = None if row.user_id is None else queries.get_user(call.conn, row.user_id)
    return KeyWithUser(
        id=row.id,
        title=row.title,
        created_at=wire(row.created_at),
        expires_at=wire_or_none(row.expires_at),
        last_used_at=wire_or_none(row.last_used_at),
        key=row.key,
        usage_type="auth_and_signing",
        user=None if user is None else presenting.present_one(call, user),
        deploy_keys_projects=[_link(link) for link in links],
    )


def _link(row: KeyProjectRow) -> DeployKeyProject:
    return DeployKeyProject(
        id=row.id,
        deploy_key_id=row.deploy_key_id,
        project_id=row.project_id,
        created_at=wire(row.created_at),
        updated_at=wire(row.created_at),
        can_push=row.can_push,
    )


def _fields(row: UserKeyRow, name: str, base_url: str) -> dict[str, Any]:
    return {
        "id": row.id,
        "title": row.title,
        "created_at": wire(row.created_at),
        "expires_at": wire_or_none(row.expires_at),
        "last_used_at": wire_or_none(row.last_used_at),
        "key": with_comment(row.key, name, base_url),
        "usage_type": row.usage_type,
    }


def _own(call: Call, user_id: int) -> UserKeyRow:
    row = call.conn.execute(
        select(keys).where(keys.c.id == int(call.path["key_id"]), keys.c.user_id == user_id)
    ).one_or_none()
    if row is None:
        raise NotFound("Key")
    return row
