"""Links in mails that end the mails about one issue or merge request."""

import msgspec
from sqlalchemy import Connection, select

from ingot.features.planning.issuables import find_kind
from ingot.identity.mail_tokens import UNSUBSCRIBE, issue_token, read_token
from ingot.identity.tables import users
from ingot.kit.ids import parse_id
from ingot.kit.services import Services
from ingot.kit.upsert import upsert


class Unsubscription(msgspec.Struct, frozen=True):
    """Whose mails about what are to end."""

    user_id: int
    type: str
    record_id: int

    @property
    def title(self) -> str:
        """What it is about, in words that tell nothing else."""
        kind = find_kind(self.type)
        return "" if kind is None else f"this {kind.title}"


def unsubscribe_url(services: Services, user_id: int, type: str, record_id: int) -> str:
    """The address of the page."""
    token = issue_token(services, UNSUBSCRIBE, user_id, f"{type}:{record_id}")
    return f"{services.settings.public_url.rstrip('/')}/-/sent_notifications/{token}/unsubscribe"


def find_unsubscription(services: Services, conn: Connection, text: str) -> Unsubscription | None:
    """What a link says; None for one that is wrong or old, and when the record or the person is gone."""
    token = read_token(services, UNSUBSCRIBE, text)
    if token is None:
        return None
    type, _, number = token.proof.partition(":")
    kind, record_id = find_kind(type), parse_id(number)
    if kind is None or record_id is None:
        return None
    if conn.execute(select(users.c.id).where(users.c.id == token.record_id)).first() is None:
        return None
    if conn.execute(select(kind.table.c.id).where(kind.table.c.id == record_id)).first() is None:
        return None
    return Unsubscription(token.record_id, type, record_id)


def unsubscribe(tx: Connection, ended: Unsubscription) -> None:
    """End the mails, as if the person had unsubscribed."""
    kind = find_kind(ended.type)
    if kind is None:
        return
    links = kind.subscriptions
    values = {kind.key: ended.record_id, "user_id": ended.user_id, "subscribed": False}
    row = upsert(tx.dialect.name, links).values(values)
    tx.execute(row.on_conflict_do_update(index_elements=[kind.key, "user_id"], set_={"subscribed": False}))
