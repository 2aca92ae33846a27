"""Endpoints of broadcast messages."""

from sqlalchemy import select

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR, ANYONE
from ingot.features.instance.broadcast_messages import commands
from ingot.features.instance.broadcast_messages.entities import BroadcastMessage, present
from ingot.features.instance.broadcast_messages.params import CreateMessage, MessagePath, UpdateMessage
from ingot.features.instance.broadcast_messages.rows import MessageRow
from ingot.features.instance.broadcast_messages.tables import broadcast_messages
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import RecordNotFound
from ingot.kit.pagination import Keyset
from ingot.kit.params import CursorPaging

routes = Routes("Broadcast messages")
ONE = "/broadcast_messages/{id}"


def _find(call: Call[MessagePath]) -> MessageRow:
    table = broadcast_messages
    row = call.conn.execute(select(table).where(table.c.id == call.params.id)).one_or_none()
    if row is None:
        raise RecordNotFound
    return row


@routes.get("/broadcast_messages", guard=ANYONE, params=CursorPaging, returns=list[BroadcastMessage])
def list_broadcast_messages(call: Call[CursorPaging]) -> Answer:
    """Broadcast messages, newest first."""
    return call.page(
        select(broadcast_messages).order_by(broadcast_messages.c.id.desc()),
        present,
        keyset=Keyset(broadcast_messages.c.id, descending=True),
    )


@routes.get(ONE, guard=ANYONE, params=MessagePath, returns=BroadcastMessage)
def get_broadcast_message(call: Call[MessagePath]) -> Answer:
    """One message."""
    return present(call, [_find(call)])[0]


@routes.post("/broadcast_messages", guard=ADMINISTRATOR, params=CreateMessage, returns=BroadcastMessage)
def create_broadcast_message(call: Call[CreateMessage]) -> Answer:
    """Create a broadcast message (administrators)."""
    with call.write() as tx:
        return present(call, [commands.create(tx, call.params)])[0]


@routes.put(ONE, guard=ADMINISTRATOR, params=UpdateMessage, returns=BroadcastMessage)
def update_broadcast_message(call: Call[UpdateMessage]) -> Answer:
    """Change a message (administrators)."""
    row = _find(call)
    with call.write() as tx:
        return present(call, [commands.change(tx, row, call.params)])[0]


@routes.delete(ONE, guard=ADMINISTRATOR, params=MessagePath)
def delete_broadcast_message(call: Call[MessagePath]) -> None:
    """Delete a message (administrators)."""
    row = _find(call)
    with call.write() as tx:
        call.delete_rows(tx, broadcast_messages, broadcast_messages.c.id == row.id)
