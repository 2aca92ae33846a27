"""Security keys and passkeys (WebAuthn) as second factors: registering them, and checking what they sign."""

import secrets
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import Connection, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from ingot.identity import second_factors
from ingot.identity.rows import SecurityKeyRow, UserRow
from ingot.identity.tables import webauthn_registrations as table
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now

if TYPE_CHECKING:
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

MOST_KEYS = 20
LONGEST_ANSWER = 20_000


class RelyingParty(msgspec.Struct, frozen=True):
    """This server, as browsers know it: a key answers only the host, and signs the origin, that it was made for."""

    origin: str

    @property
    def host(self) -> str:
        """The name that keys are bound to."""
        return urlsplit(self.origin).hostname or ""

    @staticmethod
    def at(base_url: str) -> "RelyingParty":
        """The server at its public address."""
        parts = urlsplit(base_url)
        return RelyingParty(f"{parts.scheme}://{parts.netloc}")


def new_challenge() -> str:
    """What a key has to sign, once."""
    return secrets.token_urlsafe(32)


def list_keys(conn: Connection, user_id: int) -> list[SecurityKeyRow]:
    """The user's keys, oldest first."""
    return list(conn.execute(select(table).where(table.c.user_id == user_id).order_by(table.c.id)).all())


def creation_options(party: RelyingParty, user: UserRow, keys: list[SecurityKeyRow], challenge: str) -> str:
    """What the browser needs to make a key, as JSON; keys that are registered already do not answer."""
    # Only these pages need the library.
    from webauthn import base64url_to_bytes, generate_registration_options, options_to_json
    from webauthn.helpers.structs import AuthenticatorSelectionCriteria, UserVerificationRequirement

    options = generate_registration_options(
        rp_id=party.host,
        rp_name="Ingot",
        user_id=f"ingot:{user.id}".encode(),
        user_name=user.username,
        user_display_name=user.name,
        challenge=base64url_to_bytes(challenge),
        exclude_credentials=_descriptors(keys),
        authenticator_selection=AuthenticatorSelectionCriteria(
            user_verification=UserVerificationRequirement.DISCOURAGED
        ),
    )
    return options_to_json(options)


def request_options(party: RelyingParty, keys: list[SecurityKeyRow], challenge: str) -> str:
    """What the browser needs to let one of the keys sign, as JSON."""
    from webauthn import base64url_to_bytes, generate_authentication_options, options_to_json
    from webauthn.helpers.structs import UserVerificationRequirement

    options = generate_authentication_options(
        rp_id=party.host,
        challenge=base64url_to_bytes(challenge),
        allow_credentials=_descriptors(keys),
        user_verification=UserVerificationRequirement.DISCOURAGED,
    )
    return options_to_json(options)


def register(
    tx: Connection, party: RelyingParty, user_id: int, name: str, challenge: str, answer: str
) -> list[str] | None:
    """Store a new key; None if its answer is wrong. The recovery codes, where this is the first second factor."""
    from webauthn import base64url_to_bytes, verify_registration_response
    from webauthn.helpers import bytes_to_base64url
    from webauthn.helpers.exceptions import WebAuthnException

    count = tx.execute(select(func.count()).select_from(table).where(table.c.user_id == user_id)).scalar_one()
    if count >= MOST_KEYS or len(answer) > LONGEST_ANSWER:
        return None
    try:
        key = verify_registration_response(
            credential=answer,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=party.host,
            expected_origin=party.origin,
        )
    except (WebAuthnException, ValueError, RecursionError):
        return None
    values = {
        "user_id": user_id, "name": name, "credential_id": bytes_to_base64url(key.credential_id),
        "public_key": bytes_to_base64url(key.credential_public_key), "counter": key.sign_count, "created_at": now(),
    }  # fmt: skip
    is_first = not second_factors.has_second_factor(tx, user_id)
    try:
        with tx.begin_nested():
            tx.execute(insert(table).values(values))
    except IntegrityError:
        return None  # it is registered already
    if not is_first:
        return []
    report_change(tx, Change("account", "enable_two_factor", user_id))
    return second_factors.renew_recovery_codes(tx, user_id)


def use_key(tx: Connection, party: RelyingParty, user_id: int, challenge: str, answer: str) -> bool:
    """Whether one of the user's keys signed the challenge, for this server, with a counter that went on."""
    from webauthn import base64url_to_bytes, verify_authentication_response
    from webauthn.helpers import bytes_to_base64url, parse_authentication_credential_json
    from webauthn.helpers.exceptions import WebAuthnException

    if len(answer) > LONGEST_ANSWER:
        return False
    try:
        credential = parse_authentication_credential_json(answer)
        named = table.c.credential_id == bytes_to_base64url(credential.raw_id)
        row = tx.execute(select(table).where(table.c.user_id == user_id, named)).one_or_none()
        if row is None:
            return False
        proof = verify_authentication_response(
            credential=credential,
            expected_challenge=base64url_to_bytes(challenge),
            expected_rp_id=party.host,
            expected_origin=party.origin,
            credential_public_key=base64url_to_bytes(row.public_key),
            credential_current_sign_count=row.counter,
        )
    except (WebAuthnException, ValueError, RecursionError):
        return False
    # Keys without a counter always say 0. Of two answers with the same counter only one is taken.
    goes_on = or_(table.c.counter < proof.new_sign_count, (table.c.counter == 0) & (proof.new_sign_count == 0))
    used = update(table).where(table.c.id == row.id, goes_on).values(counter=proof.new_sign_count)
    return tx.execute(used).rowcount == 1


def remove_key(tx: Connection, user_id: int, key_id: int) -> bool:
    """Forget a key; with the last second factor the recovery codes go too. False if there is no such key."""
    mine = (table.c.user_id == user_id) & (table.c.id == key_id)
    if tx.execute(delete(table).where(mine)).rowcount == 0:
        return False
    if not second_factors.has_second_factor(tx, user_id):
        second_factors.forget_codes(tx, user_id)
    return True


def _descriptors(keys: list[SecurityKeyRow]) -> list["PublicKeyCredentialDescriptor"]:
    from webauthn import base64url_to_bytes
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

    return [PublicKeyCredentialDescriptor(id=base64url_to_bytes(key.credential_id)) for key in keys]
