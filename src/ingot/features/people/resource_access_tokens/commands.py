"""Creating a bot with its token, rotating and revoking; bots without valid tokens are removed later."""

import secrets
from datetime import date, timedelta
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, Date, Select, and_, case, cast, delete, insert, select

from ingot.features.people.members import Source, add_member
from ingot.features.people.personal_access_tokens import create_token
from ingot.features.people.personal_access_tokens import rotate as rotate_token
from ingot.features.people.resource_access_tokens import queries
from ingot.features.people.resource_access_tokens.params import CreateResourceToken
from ingot.features.people.resource_access_tokens.rows import ResourceTokenRow
from ingot.features.people.resource_access_tokens.tables import resource_bots as bots
from ingot.features.people.users import create_user, user_keys
from ingot.identity.tables import personal_access_tokens as tokens
from ingot.identity.tables import users
from ingot.identity.tokens import revoke as revoke_tokens
from ingot.kit.actor import Actor
from ingot.kit.clock import now, today
from ingot.kit.errors import BadRequest, Unprocessable

KEPT_DAYS = 30
BATCH = 100


def create(
    tx: Connection, actor: Actor, source: Source, options: CreateResourceToken, base_url: str
) -> tuple[ResourceTokenRow, str]:
    """Create a bot that is a member of the project or group; returns its token's row and clear-text value."""
    name = f"{source.kind}_{source.id}_bot_{secrets.token_hex(16)}"
    try:
        bot_id = create_user(
            tx,
            username=name,
            name=options.name[:255],
            email=f"{name}@noreply.{urlsplit(base_url).hostname or 'localhost'}",
            kind="project_bot",
            is_external=actor.is_external,
            projects_limit=0,
            can_create_group=False,
            created_by_id=actor.user_id,
        )
        tx.execute(insert(bots).values(user_id=bot_id, **source.key))
        add_member(tx, source, bot_id, options.access_level, created_by_id=actor.user_id)
        row, clear = create_token(tx, bot_id, options, expires_at=options.expires_at)
    except Unprocessable as problem:
        raise BadRequest(problem.text) from None
    return queries.get(tx, source, row.id), clear


def rotate(
    tx: Connection, source: Source, row: ResourceTokenRow, expires_at: date | None
) -> tuple[ResourceTokenRow, str]:
    """Rotate: a new token of the same bot; the old one is revoked at once."""
    created, clear = rotate_token(tx, row, expires_at)
    return queries.get(tx, source, created.id), clear


def revoke(tx: Connection, row: ResourceTokenRow) -> None:
    """Revoke a token, and with it whatever else its bot was given meanwhile; one that was rotated has ended before."""
    if not row.revoked:
        revoke_tokens(tx, tokens.c.user_id == row.user_id)
        tx.execute(delete(user_keys).where(user_keys.c.user_id == row.user_id))


def departing() -> Select[Any]:
    """Bots whose project or group is gone, and bots without a valid token for a month."""
    limit = today() - timedelta(days=KEPT_DAYS)
    ended = case(
        (tokens.c.revoked, tokens.c.updated_at < now() - timedelta(days=KEPT_DAYS)),
        else_=and_(tokens.c.expires_at.is_not(None), tokens.c.expires_at < cast(limit, Date)),
    )
    alive = select(tokens.c.id).where(tokens.c.user_id == users.c.id, ~ended).exists()
    homeless = ~select(bots.c.user_id).where(bots.c.user_id == users.c.id).exists()
    return select(users).where(users.c.kind == "project_bot", homeless | ~alive).order_by(users.c.id).limit(BATCH)
