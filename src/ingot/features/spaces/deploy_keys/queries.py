"""Reading deploy keys."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, or_, select, true

from ingot.access.levels import MAINTAINER
from ingot.access.tables import project_authorizations, projects
from ingot.access.visibility import is_let_in
from ingot.features.spaces.deploy_keys.rows import DeployKeyRow, KeyLinkRow, ProjectKeyRow
from ingot.features.spaces.deploy_keys.tables import deploy_key_projects, deploy_keys
from ingot.kit.actor import Actor
from ingot.kit.pagination import Keyset

OLDEST_FIRST = Keyset(deploy_keys.c.id, descending=False)


def deploy_key_by_fingerprint(conn: Connection, fingerprint: str) -> DeployKeyRow | None:
    """The key with this SHA-256 (base64, without `SHA256:` and padding); see `expires_at` for whether it works."""
    return conn.execute(select(deploy_keys).where(deploy_keys.c.fingerprint == fingerprint)).one_or_none()


def deploy_key_by_id(conn: Connection, key_id: int) -> DeployKeyRow | None:
    """The key with this number, or None."""
    return conn.execute(select(deploy_keys).where(deploy_keys.c.id == key_id)).one_or_none()


def deploy_key_may_push(conn: Connection, key_id: int, project_id: int) -> bool | None:
    """Whether the key may push to the project; None if it may not even read."""
    opened = deploy_key_projects
    query = select(opened.c.can_push).where(opened.c.deploy_key_id == key_id, opened.c.project_id == project_id)
    return conn.execute(query).scalar_one_or_none()


def all_keys(conn: Connection) -> Iterable[DeployKeyRow]:
    """Every key, oldest first."""
    return conn.execute(select(deploy_keys).order_by(deploy_keys.c.id))


def projects_of_key(conn: Connection, key_id: int) -> Sequence[KeyLinkRow]:
    """The projects that a key opens."""
    opened = deploy_key_projects
    return conn.execute(select(opened).where(opened.c.deploy_key_id == key_id).order_by(opened.c.id)).all()


def in_instance(*, public: bool) -> Select[Any]:
    """All keys, oldest first."""
    query = select(deploy_keys).order_by(deploy_keys.c.id)
    return query.where(deploy_keys.c.is_public) if public else query


def keys_in_project(project_id: int) -> Select[Any]:
    """The keys of a project, oldest first."""
    joined = deploy_keys.join(deploy_key_projects, deploy_key_projects.c.deploy_key_id == deploy_keys.c.id)
    return (
        select(deploy_keys, deploy_key_projects.c.can_push)
        .select_from(joined)
        .where(deploy_key_projects.c.project_id == project_id)
        .order_by(deploy_keys.c.id)
    )


def find_in_project(conn: Connection, project_id: int, key_id: int) -> ProjectKeyRow | None:
    """One key of a project, or None."""
    return conn.execute(keys_in_project(project_id).where(deploy_keys.c.id == key_id)).one_or_none()


def maintained_projects(actor: Actor, *others: int) -> Select[Any]:
    """The projects that the actor and all these other users maintain."""
    query = select(projects.c.id).where(*is_let_in(actor, projects.c.namespace_id))
    for user_id in {actor.id, *others}:
        rights = project_authorizations.alias()
        maintained = select(rights.c.project_id).where(rights.c.user_id == user_id, rights.c.access_level >= MAINTAINER)
        query = query.where(projects.c.id.in_(maintained))
    return query


def opens_one_of(project_ids: Select[Any]) -> ColumnElement[bool]:
    """Condition on `deploy_keys`: it is enabled in one of these projects."""
    opened = select(deploy_key_projects.c.deploy_key_id).where(deploy_key_projects.c.project_id.in_(project_ids))
    return deploy_keys.c.id.in_(opened)


def within_reach(actor: Actor) -> ColumnElement[bool]:
    """Condition on `deploy_keys`: the actor may add it to projects."""
    return true() if actor.is_admin else or_(deploy_keys.c.is_public, opens_one_of(maintained_projects(actor)))


def offered_keys(conn: Connection, actor: Actor, project_id: int, *, most: int = 100) -> list[dict[str, Any]]:
    """Keys that the actor may enable in a project which does not have them yet, those for every project first."""
    here = select(deploy_key_projects.c.deploy_key_id).where(deploy_key_projects.c.project_id == project_id)
    query = (
        select(deploy_keys)
        .where(within_reach(actor), deploy_keys.c.id.not_in(here))
        .order_by(deploy_keys.c.is_public.desc(), deploy_keys.c.id)
        .limit(most)
    )
    return [
        {"id": row.id, "title": row.title, "fingerprint": f"SHA256:{row.fingerprint}", "is_public": row.is_public,
         "expires_at": None if row.expires_at is None else row.expires_at.isoformat()}
        for row in conn.execute(query)
    ]  # fmt: skip
