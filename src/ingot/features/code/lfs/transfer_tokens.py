"""Tokens for the transfers of a batch: signed, for one user, project and operation, and never stored.

Clients keep the headers of a batch for hours and log them; what a person signed in with does not belong there.
"""

import base64
import hashlib
import hmac
from datetime import timedelta

from msgspec.structs import replace
from sqlalchemy import Connection, select

from ingot.features.code.git_http import GitRequest, Opened, basic, forbidden, not_found, open_for, unauthorized
from ingot.identity.authentication import actor_of_user, check_token, check_user
from ingot.identity.rows import UserRow
from ingot.identity.tables import personal_access_tokens, users
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.errors import ApiError
from ingot.kit.patterns import pattern
from ingot.kit.services import Services

LIFETIME = timedelta(hours=2)
UPLOAD = "upload"
KIND = "lfs"
# Tokens of jobs, deployment, applications and SSH are short-lived or narrow: their own header is sent back, so that a
# transfer ends with them.
OTHERS = frozenset({"job", "oauth", "ssh_key", KIND})
SCOPES = {"download": frozenset({"read_repository"}), UPLOAD: frozenset({"read_repository", "write_repository"})}
_TOKEN = pattern(r"lfsu-(\d{1,18})\.(\d{1,18})\.(\d{1,18})\.(upload|download)\.(\d{1,12})\.([0-9a-f]{64})")


def transfer_header(services: Services, opened: Opened, operation: str) -> str | None:
    """An `Authorization` header with a fresh token; None where the caller's own is to be sent back."""
    actor = opened.actor
    if actor.user_id is None or actor.token_kind in OTHERS:
        return None
    with services.db.read() as conn:
        row: UserRow = conn.execute(select(users).where(users.c.id == actor.user_id)).one()
    expires = (now() + LIFETIME).timestamp()
    expires = int(min(expires, actor.valid_until or expires))
    body = f"{actor.user_id}.{actor.token_id or 0}.{opened.project.id}.{operation}.{expires}"
    credentials = f"{actor.username}:lfsu-{body}.{_sign(services, row, body)}"
    return "Basic " + base64.b64encode(credentials.encode()).decode()


def open_with_transfer_token(services: Services, git_request: GitRequest) -> Opened | None:
    """The repository that the request's token opens; None where it carries no such token."""
    given = basic(git_request.authorization)
    match = None if given is None else _TOKEN.fullmatch(given[1])
    if match is None:
        return None
    user_id, token_id, project_id, operation, expires, signature = match.groups()
    with services.db.read() as conn:
        row: UserRow | None = conn.execute(select(users).where(users.c.id == int(user_id))).one_or_none()
        body = f"{user_id}.{token_id}.{project_id}.{operation}.{expires}"
        if row is None or not hmac.compare_digest(signature, _sign(services, row, body)):
            raise unauthorized()
        if int(expires) <= now().timestamp():
            raise unauthorized()
        actor = _actor(conn, row, int(token_id), git_request.base_url)
    opened = open_for(services, git_request, replace(actor, scopes=SCOPES[operation]))
    if opened.project.id != int(project_id):
        raise not_found()
    if git_request.pushes != (operation == UPLOAD):
        raise forbidden("The token is for the other operation.")
    return opened


def _actor(conn: Connection, row: UserRow, token_id: int, base_url: str) -> Actor:
    """The user, who may still come in as when the batch was answered."""
    table = personal_access_tokens
    token = conn.execute(select(table).where(table.c.id == token_id)).one_or_none() if token_id else None
    try:
        check_user(row, base_url)
        if token is not None:
            check_token(conn, token)
    except ApiError:
        raise unauthorized() from None
    if token_id and token is None:
        raise unauthorized()
    return replace(actor_of_user(row), token_kind=KIND)


def _sign(services: Services, row: UserRow, body: str) -> str:
    """A new password ends the tokens of the old one."""
    text = f"lfs-transfer:{body}:{row.password_hash or ''}"
    return hmac.new(services.secret_key.encode(), text.encode(), hashlib.sha256).hexdigest()
