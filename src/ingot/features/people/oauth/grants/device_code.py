"""The device grant (RFC 8628): a device without a browser asks, a person allows it on another machine."""

import secrets
import string
from datetime import datetime, timedelta

from msgspec.structs import replace
from sqlalchemy import Connection, delete, insert, select, update

from ingot.features.people.oauth.errors import OAuthError
from ingot.features.people.oauth.grants.request import TokenRequest, require_active
from ingot.features.people.oauth.issuing import Issued, TokenOptions, issue
from ingot.features.people.oauth.rows import DeviceGrantRow
from ingot.features.people.oauth.scopes import requested_scopes
from ingot.identity.oauth_tables import oauth_device_grants as grants
from ingot.identity.tokens import digest
from ingot.kit.clock import now

LIFETIME = timedelta(minutes=5)
INTERVAL = 5
ALPHABET = string.ascii_uppercase + string.digits
CODE_LENGTH = 8


def begin_device_grant(request: TokenRequest) -> dict[str, object]:
    """Codes for a device: one that it polls with, one that a person types."""
    clear = secrets.token_hex(32)
    user_code = "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))
    with request.services.db.write() as tx:
        client = request.client(tx)
        scopes = requested_scopes(request.values.get("scope", ""), client.scopes)
        tx.execute(delete(grants).where(grants.c.expires_at <= now()))
        tx.execute(
            insert(grants).values(
                application_id=client.id,
                digest=digest(clear),
                user_code=user_code,
                scopes=scopes,
                state="pending",
                interval=INTERVAL,
                expires_at=now() + LIFETIME,
            )
        )
    page = f"{request.base_url}/oauth/device"
    return {
        "device_code": clear,
        "user_code": user_code,
        "verification_uri": page,
        "verification_uri_complete": f"{page}?user_code={user_code}",
        "expires_in": int(LIFETIME.total_seconds()),
        "interval": INTERVAL,
    }


def redeem_device_code(request: TokenRequest) -> Issued:
    """A pair once the person has allowed it; until then the device is told to wait."""
    code = request.required("device_code")
    with request.services.db.write() as tx:
        client = request.client(tx)
        statement = select(grants).where(grants.c.digest == digest(code)).with_for_update()
        grant: DeviceGrantRow | None = tx.execute(statement).one_or_none()
        if grant is None or grant.application_id != client.id:
            raise OAuthError("invalid_grant")
        refusal = _refusal(tx, grant)
        if refusal is None and grant.user_id is not None:
            require_active(tx, grant.user_id, request.base_url)
            tx.execute(delete(grants).where(grants.c.id == grant.id))
            issued = issue(tx, TokenOptions(client.id, grant.user_id, grant.scopes))
    if refusal is not None or grant.user_id is None:
        raise OAuthError(refusal or "authorization_pending")
    return replace(issued, signed_in_at=grant.signed_in_at)


def _refusal(tx: Connection, grant: DeviceGrantRow) -> str | None:
    moment = now()
    if grant.expires_at <= moment:
        return "expired_token"
    if grant.state == "denied":
        return "access_denied"
    if grant.state == "allowed":
        return None
    is_early = grant.polled_at is not None and moment < grant.polled_at + timedelta(seconds=grant.interval)
    interval = grant.interval + INTERVAL if is_early else grant.interval
    tx.execute(update(grants).where(grants.c.id == grant.id).values(polled_at=moment, interval=interval))
    return "slow_down" if is_early else "authorization_pending"


def find_device_grant(conn: Connection, user_code: str) -> DeviceGrantRow | None:
    """The request that waits under a code, as people type it."""
    code = "".join(letter for letter in user_code.upper() if letter in ALPHABET)
    statement = select(grants).where(
        grants.c.user_code == code, grants.c.state == "pending", grants.c.expires_at > now()
    )
    row: DeviceGrantRow | None = conn.execute(statement).one_or_none()
    return row


def answer_device(tx: Connection, grant: DeviceGrantRow, user_id: int, signed_in_at: datetime, *, allow: bool) -> bool:
    """Allow or deny; False if somebody answered before."""
    values = {"state": "allowed" if allow else "denied", "user_id": user_id, "signed_in_at": signed_in_at}
    waiting = update(grants).where(grants.c.id == grant.id, grants.c.state == "pending").values(values)
    return tx.execute(waiting).rowcount == 1
