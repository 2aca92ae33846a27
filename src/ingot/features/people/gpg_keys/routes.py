"""Endpoints of users' GPG keys."""

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR, ANYONE, SIGNED_IN
from ingot.features.people.gpg_keys import commands, queries
from ingot.features.people.gpg_keys.entities import GpgKey, present
from ingot.features.people.gpg_keys.params import AddGpgKey
from ingot.features.people.gpg_keys.rows import GpgKeyRow
from ingot.features.people.gpg_keys.tables import gpg_keys
from ingot.features.people.users import get_user
from ingot.kit.endpoint import Answer, Reply, Routes
from ingot.kit.entity import ACCEPTED, MessageOnly
from ingot.kit.errors import NotFound
from ingot.kit.pagination import Keyset
from ingot.kit.params import CursorPaging

routes = Routes("GPG keys", scopes=("read_user",))
OWN, OTHERS = "/user/gpg_keys", "/users/{id:int}/gpg_keys"
ONE = "/{key_id:int}"


@routes.get(OWN, guard=SIGNED_IN, params=CursorPaging, returns=list[GpgKey])
def list_current_user_gpg_keys(call: Call[CursorPaging]) -> Answer:
    """The caller's GPG keys."""
    return call.page(queries.keys_of(call.actor.id), present, keyset=Keyset(gpg_keys.c.id, descending=False))


@routes.get(OTHERS, guard=ANYONE, params=CursorPaging, returns=list[GpgKey])
def list_user_gpg_keys(call: Call[CursorPaging]) -> Answer:
    """A user's GPG keys."""
    return call.page(queries.keys_of(_user_id(call)), present, keyset=Keyset(gpg_keys.c.id, descending=False))


@routes.get(OWN + ONE, guard=SIGNED_IN, returns=GpgKey)
def get_current_user_gpg_key(call: Call) -> Answer:
    """One of the caller's GPG keys."""
    return _shown(call, _key(call, call.actor.id))


@routes.get(OTHERS + ONE, guard=ANYONE, returns=GpgKey)
def get_user_gpg_key(call: Call) -> Answer:
    """One of a user's GPG keys."""
    return _shown(call, _key(call, _user_id(call)))


@routes.post(OWN, guard=SIGNED_IN, params=AddGpgKey, returns=GpgKey)
def add_current_user_gpg_key(call: Call[AddGpgKey]) -> Answer:
    """Add a GPG key to the caller's account."""
    return _add(call, call.actor.id)


@routes.post(OTHERS, guard=ADMINISTRATOR, params=AddGpgKey, returns=GpgKey)
def add_user_gpg_key(call: Call[AddGpgKey]) -> Answer:
    """Add a GPG key to a user's account (administrators)."""
    return _add(call, _user_id(call))


@routes.delete(OWN + ONE, guard=SIGNED_IN)
def delete_current_user_gpg_key(call: Call) -> Answer:
    """Remove one of the caller's GPG keys: what was found of its signatures stays."""
    _delete(call, call.actor.id)


@routes.delete(OTHERS + ONE, guard=ADMINISTRATOR)
def delete_user_gpg_key(call: Call) -> Answer:
    """Remove one of a user's GPG keys (administrators): what was found of its signatures stays."""
    _delete(call, _user_id(call))


@routes.post(OWN + ONE + "/revoke", guard=SIGNED_IN, status=202, returns=MessageOnly)
def revoke_current_user_gpg_key(call: Call) -> Answer:
    """Revoke one of the caller's GPG keys: what it signed becomes unverified."""
    return _revoke(call, call.actor.id)


@routes.post(OTHERS + ONE + "/revoke", guard=ADMINISTRATOR, status=202, returns=MessageOnly)
def revoke_user_gpg_key(call: Call) -> Answer:
    """Revoke one of a user's GPG keys (administrators): what it signed becomes unverified."""
    return _revoke(call, _user_id(call))


def _user_id(call: Call) -> int:
    return get_user(call.conn, int(call.path["id"])).id


def _key(call: Call, user_id: int) -> GpgKeyRow:
    row = queries.find(call.conn, user_id, int(call.path["key_id"]))
    if row is None:
        raise NotFound("GPG Key")
    return row


def _shown(call: Call, row: GpgKeyRow) -> GpgKey:
    return present(call, [row])[0]


def _add(call: Call[AddGpgKey], user_id: int) -> GpgKey:
    with call.write() as tx:
        row = commands.add(tx, user_id, call.params.key)
    return _shown(call, row)


def _delete(call: Call, user_id: int) -> None:
    row = _key(call, user_id)
    with call.write() as tx:
        call.delete_rows(tx, gpg_keys, gpg_keys.c.id == row.id)


def _revoke(call: Call, user_id: int) -> Reply:
    row = _key(call, user_id)
    with call.write() as tx:
        commands.revoke(tx, row)
    return Reply(ACCEPTED, status=202)
