"""Reading deploy tokens."""

from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, or_, select, true

from ingot.access.rows import ProjectRow
from ingot.access.tables import namespace_ancestors
from ingot.features.spaces.deploy_tokens.entities import username
from ingot.features.spaces.deploy_tokens.params import ListDeployTokens
from ingot.features.spaces.deploy_tokens.rows import DeployTokenRow
from ingot.features.spaces.deploy_tokens.tables import deploy_tokens
from ingot.identity.tokens import digest
from ingot.kit.clock import now
from ingot.kit.sealing import unseal
from ingot.kit.services import Services

CI_TOKEN = "gitlab-deploy-token"


def _works() -> ColumnElement[bool]:
    table = deploy_tokens
    return and_(~table.c.revoked, or_(table.c.expires_at.is_(None), table.c.expires_at > now()))


def listed(place: ColumnElement[bool], options: ListDeployTokens) -> Select[Any]:
    """The tokens of a place, oldest first."""
    query = select(deploy_tokens).where(place).order_by(deploy_tokens.c.id)
    if options.active is None:
        return query
    return query.where(_works() if options.active else ~_works())


def find(conn: Connection, place: ColumnElement[bool], token_id: int) -> DeployTokenRow | None:
    """One token of a place, or None."""
    return conn.execute(select(deploy_tokens).where(place, deploy_tokens.c.id == token_id)).one_or_none()


def find_reader(conn: Connection, name: str, clear: str) -> DeployTokenRow | None:
    """The working token with this user name and value that may read repositories."""
    query = select(deploy_tokens).where(deploy_tokens.c.digest == digest(clear), _works())
    row: DeployTokenRow | None = conn.execute(query).one_or_none()
    if row is None or username(row) != name or "read_repository" not in row.scopes:
        return None
    return row


def opens_project(conn: Connection, token: DeployTokenRow, project: ProjectRow) -> bool:
    """The token belongs to the project, or to a parent group."""
    if token.group_id is None:
        return token.project_id == project.id
    above = namespace_ancestors
    query = select(true()).where(above.c.namespace_id == project.namespace_id, above.c.ancestor_id == token.group_id)
    return conn.execute(query).first() is not None


def ci_deploy_token(conn: Connection, services: Services, project: ProjectRow) -> tuple[str, str] | None:
    """User name and value of the active token with the name reserved for jobs: of the project, or of a parent group."""
    above = select(namespace_ancestors.c.ancestor_id).where(namespace_ancestors.c.namespace_id == project.namespace_id)
    table = deploy_tokens
    query = (
        select(table)
        .where(table.c.name == CI_TOKEN, _works())
        .where(or_(table.c.project_id == project.id, table.c.group_id.in_(above)))
        .order_by(table.c.project_id.is_(None), table.c.id)
        .limit(1)
    )
    row: DeployTokenRow | None = conn.execute(query).one_or_none()
    return None if row is None else (username(row), unseal(services, row.sealed_token))
