"""The name that this instance has among others. Archives and jobs carry it."""

from uuid import uuid4

from sqlalchemy import Connection, insert, select

from ingot.instance.tables import instance_facts
from ingot.kit.db import Database, take_turn

_UUID = select(instance_facts.c.value).where(instance_facts.c.name == "uuid")


def instance_uuid(db: Database, conn: Connection) -> str:
    """The instance's UUID: created when it is first needed, the same ever after. `conn` reads, `db` writes."""
    known = conn.execute(_UUID).scalar_one_or_none()
    if known is None:
        with db.write() as tx:
            known = _create(tx)
    return str(known)


def _create(tx: Connection) -> str:
    take_turn(tx, "instance-uuid")
    known = tx.execute(_UUID).scalar_one_or_none()  # another process may have been faster
    if known is None:
        known = str(uuid4())
        tx.execute(insert(instance_facts).values(name="uuid", value=known))
    return str(known)
