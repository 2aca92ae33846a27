"""Authentication of git connections: Basic credentials with a token or the password."""

import base64
import binascii

from sqlalchemy import Connection

from ingot.features.code.git_http.passwords import Attempt, actor_by_password
from ingot.features.code.git_http.refusals import forbidden, unauthorized
from ingot.kit.actor import ANONYMOUS, Actor
from ingot.kit.errors import Forbidden, TokenError
from ingot.kit.services import Services

JOB_USER = "gitlab-ci-token"
READING = frozenset({"api", "read_repository", "write_repository"})
WRITING = frozenset({"api", "write_repository"})


def basic(header: str) -> tuple[str, str] | None:
    """User name and password of an `Authorization` header; None when there is none of that kind."""
    scheme, _, value = header.strip().partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        text = base64.b64decode(value.strip(), validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        raise unauthorized() from None
    name, separator, password = text.partition(":")
    if not separator:
        raise unauthorized()
    return name, password


def authenticate(services: Services, conn: Connection, header: str, base_url: str, address: str) -> Actor:
    """The actor; anonymous without credentials, 401 with wrong ones, 403 for blocked users."""
    given = basic(header)
    if given is None:
        return ANONYMOUS
    name, password = given
    # The token may also stand alone, as the user name: `https://TOKEN@host/...`.
    token = name if password in ("", "x-oauth-basic") else password
    tokens = services.tokens
    if name == JOB_USER:
        job = tokens.by_job_token(conn, token) if token else None
        if job is not None:
            return job
    try:
        actor = tokens.by_token(conn, token, base_url) if token and "\x00" not in token else None
        if actor is None and "\x00" not in name + password:
            actor = actor_by_password(services, conn, Attempt(name, password, address, base_url))
    except TokenError:
        raise unauthorized() from None
    except Forbidden as locked_out:
        raise forbidden(locked_out.text) from None
    if actor is None or not actor.scopes & READING:
        raise unauthorized()
    return actor  # admin mode is for pages and the API


def may_write(actor: Actor) -> bool:
    """The credential may be used for pushing."""
    return actor.token_kind == "job" or bool(actor.scopes & WRITING)
