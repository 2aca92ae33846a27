"""Recording and showing clients."""

from sqlalchemy import Connection, insert, select

from ingot.access.call import Call
from ingot.features.spaces.user_agents.tables import user_agent_details
from ingot.kit.entity import Entity
from ingot.kit.errors import NotFound

LONGEST = 255


class UserAgentDetail(Entity):
    """A client. Nothing is sent to Akismet, so `akismet_submitted` is false."""

    user_agent: str
    ip_address: str
    akismet_submitted: bool


def record_client(tx: Connection, call: Call, *, issue_id: int | None = None, snippet_id: int | None = None) -> None:
    """Remember the caller's program and address; nothing where it does not name itself."""
    agent = call.request.headers.get("user-agent", "").strip()
    if agent and call.address is not None:
        values = {"user_id": call.actor.id, "user_agent": agent[:LONGEST], "ip_address": call.address}
        tx.execute(insert(user_agent_details).values(**values, issue_id=issue_id, snippet_id=snippet_id))


def get_detail(conn: Connection, *, issue_id: int | None = None, snippet_id: int | None = None) -> UserAgentDetail:
    """The client that created the issue or snippet; 404 where it is not known."""
    table = user_agent_details
    condition = table.c.issue_id == issue_id if snippet_id is None else table.c.snippet_id == snippet_id
    row = conn.execute(select(table).where(condition)).one_or_none()
    if row is None:
        raise NotFound("UserAgentDetail")
    return UserAgentDetail(user_agent=row.user_agent, ip_address=row.ip_address, akismet_submitted=False)
