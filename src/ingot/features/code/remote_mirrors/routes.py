"""Endpoints of push mirrors."""

from ingot.access.call import Call
from ingot.features.code.remote_mirrors import commands, queries
from ingot.features.code.remote_mirrors.entities import MirrorPublicKey, RemoteMirror, present
from ingot.features.code.remote_mirrors.params import CreateMirror, ListMirrors, MirrorPath, UpdateMirror
from ingot.features.code.remote_mirrors.policy import ADMIN_MIRRORS, READ_MIRRORS
from ingot.features.code.remote_mirrors.rows import MirrorRow
from ingot.features.code.remote_mirrors.tables import remote_mirrors
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Failure, NotFound
from ingot.kit.pagination import Keyset

routes = Routes("Push mirrors")
ALL = "/projects/{id}/remote_mirrors"
ONE = ALL + "/{mirror_id}"


def _mirror(call: Call[MirrorPath]) -> MirrorRow:
    return queries.get(call.conn, call.project.id, call.params.mirror_id)


@routes.get(ALL, guard=READ_MIRRORS, params=ListMirrors, returns=list[RemoteMirror])
def list_remote_mirrors(call: Call[ListMirrors]) -> Answer:
    """Push mirrors of a project. Logins are never shown."""
    return call.page(queries.listed(call.project.id), present, keyset=Keyset(remote_mirrors.c.id, descending=False))


@routes.post(ALL, guard=ADMIN_MIRRORS, params=CreateMirror, returns=RemoteMirror)
def create_remote_mirror(call: Call[CreateMirror]) -> Answer:
    """Have branches and tags pushed to a repository elsewhere after each change, once the mirror is enabled."""
    with call.write() as tx:
        row = commands.create(tx, call)
    return present(call, [row])[0]


@routes.get(ONE, guard=READ_MIRRORS, params=MirrorPath, returns=RemoteMirror)
def get_remote_mirror(call: Call[MirrorPath]) -> Answer:
    """A push mirror, and its last update."""
    return present(call, [_mirror(call)])[0]


@routes.put(ONE, guard=ADMIN_MIRRORS, params=UpdateMirror, returns=RemoteMirror)
def update_remote_mirror(call: Call[UpdateMirror]) -> Answer:
    """Change a push mirror; one that is switched on, or has got another address or login, is updated at once."""
    row = _mirror(call)
    with call.write() as tx:
        changed = commands.change(tx, call, row)
    return present(call, [changed])[0]


@routes.delete(ONE, guard=ADMIN_MIRRORS, params=MirrorPath)
def delete_remote_mirror(call: Call[MirrorPath]) -> None:
    """Stop pushing to a repository elsewhere; what it has stays there."""
    row = _mirror(call)
    with call.write() as tx:
        call.delete_rows(tx, remote_mirrors, remote_mirrors.c.id == row.id)
        commands.report(tx, "delete", row)


@routes.get(ONE + "/public_key", guard=READ_MIRRORS, params=MirrorPath, returns=MirrorPublicKey)
def get_remote_mirror_public_key(call: Call[MirrorPath]) -> Answer:
    """The public key by which a mirror with `auth_method` `ssh_public_key` logs in."""
    key = _mirror(call).public_key
    if key is None:
        raise NotFound("Public key")
    return MirrorPublicKey(public_key=key)


@routes.post(ONE + "/sync", guard=ADMIN_MIRRORS, params=MirrorPath, status=204)
def sync_remote_mirror(call: Call[MirrorPath]) -> None:
    """Update a push mirror now."""
    row = _mirror(call)
    if not row.enabled:
        raise Failure(400, "Cannot proceed with the push mirroring. Please verify your mirror configuration.")
    with call.write() as tx:
        commands.queue_update(tx, row)
