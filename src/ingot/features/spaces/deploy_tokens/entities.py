"""Deploy tokens on the wire."""

from collections.abc import Sequence
from datetime import datetime

from ingot.access.call import Call
from ingot.features.spaces.deploy_tokens.rows import DeployTokenRow
from ingot.kit.clock import now
from ingot.kit.entity import UNSET, Entity, UnsetType, wire_or_none


class DeployToken(Entity):
    """A deploy token; `token` is shown only when it is created."""

    id: int
    name: str
    username: str
    expires_at: datetime | None
    scopes: list[str]
    revoked: bool
    expired: bool
    token: str | UnsetType = UNSET


def username(row: DeployTokenRow) -> str:
    """The user name that goes with the token."""
    return row.username or f"gitlab+deploy-token-{row.id}"


def deploy_token(row: DeployTokenRow, token: str | UnsetType = UNSET) -> DeployToken:
    """One token."""
    return DeployToken(
        id=row.id,
        name=row.name,
        username=username(row),
        expires_at=wire_or_none(row.expires_at),
        scopes=row.scopes,
        revoked=row.revoked,
        expired=row.expires_at is not None and row.expires_at <= now(),
        token=token,
    )


def present(_: Call, rows: Sequence[DeployTokenRow]) -> list[DeployToken]:
    """A page of tokens."""
    return [deploy_token(row) for row in rows]
