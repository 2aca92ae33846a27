"""Verdicts on signatures by GPG keys: they outlive a key that is deleted, but not one that is revoked."""

from collections.abc import Collection, Mapping

import msgspec
from sqlalchemy import Connection, and_, bindparam, delete, or_, select

from ingot.access.tables import projects
from ingot.features.people.gpg_keys.tables import gpg_keys as keys
from ingot.features.people.gpg_keys.tables import judged_signatures as judged
from ingot.kit.upsert import upsert

_KEPT = select(judged).where(
    judged.c.project_id == bindparam("project_id"), judged.c.object_id.in_(bindparam("object_ids", expanding=True))
)


class Verdict(msgspec.Struct, frozen=True):
    """What was found of a signature; without the id of a key that is gone."""

    status: str
    gpg_key_id: int | None
    primary_keyid: str
    user_name: str | None
    user_email: str | None


def kept_verdicts(conn: Connection, project_id: int, object_ids: Collection[str]) -> dict[str, Verdict]:
    """What was found of these commits and tags of a project when somebody last looked."""
    if not object_ids:
        return {}
    rows = conn.execute(_KEPT, {"project_id": project_id, "object_ids": list(object_ids)})
    return {
        row.object_id: Verdict(row.status, row.gpg_key_id, row.primary_keyid, row.user_name, row.user_email)
        for row in rows
    }


def keep_verdicts(tx: Connection, project_id: int, verdicts: Mapping[str, Verdict]) -> None:
    """Remember what was found, for the time after the key: not where it was deleted or revoked since it was read, nor
    where the project was deleted."""
    project = select(projects.c.id).where(projects.c.id == project_id).with_for_update(read=True, key_share=True)
    if tx.execute(project).first() is None:
        return
    named = {verdict.gpg_key_id for verdict in verdicts.values()}
    # Locked until the end, so that a revocation comes before or finds what is written here.
    living = select(keys.c.id).where(keys.c.id.in_(named), keys.c.revoked_at.is_(None)).order_by(keys.c.id)
    living_ids = set(tx.execute(living.with_for_update(read=True)).scalars())
    rows = [
        {"project_id": project_id, "object_id": object_id, **msgspec.structs.asdict(verdicts[object_id])}
        # In one order, so that two readers of the same list do not wait for each other.
        for object_id in sorted(verdicts)
        if verdicts[object_id].gpg_key_id in living_ids
    ]
    if not rows:
        return
    statement = upsert(tx.dialect.name, judged)
    names = ("gpg_key_id", "status", "primary_keyid", "user_name", "user_email")
    statement = statement.on_conflict_do_update(
        index_elements=["project_id", "object_id"], set_={name: statement.excluded[name] for name in names}
    )
    tx.execute(statement, rows)


def forget_verdicts(tx: Connection, gpg_key_id: int, primary_keyid: str) -> None:
    """What a key signed is to be trusted no longer, nor what it signed before it was deleted and put back."""
    before = and_(judged.c.gpg_key_id.is_(None), judged.c.primary_keyid == primary_keyid)
    tx.execute(delete(judged).where(or_(judged.c.gpg_key_id == gpg_key_id, before)))
