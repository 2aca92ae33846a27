"""Tokens for Git LFS, given out over SSH: signed, for one key, one project and one operation, and never stored."""

import base64
import hashlib
import hmac
from datetime import timedelta

import msgspec

from ingot.features.code.git_ssh.holders import Holder, KeyName
from ingot.kit.clock import now
from ingot.kit.patterns import pattern

LIFETIME = timedelta(hours=2)
UPLOAD, DOWNLOAD = "upload", "download"
OPERATIONS = (DOWNLOAD, UPLOAD)
_TOKEN = pattern(r"lfst-((?:deploy-)?key-\d{1,18})\.(\d{1,18})\.(upload|download)\.(\d{1,12})\.([0-9a-f]{64})")


class LfsToken(msgspec.Struct, frozen=True):
    """What a valid token says. The key's access is checked again on every request."""

    key: KeyName
    project_id: int
    operation: str


def issue_header(secret: str, holder: Holder, project_id: int, operation: str) -> str:
    """An `Authorization` header with a fresh token."""
    expires = int((now() + LIFETIME).timestamp())
    body = f"{holder.key}.{project_id}.{operation}.{expires}"
    name = holder.actor.username if holder.deploy_key_id is None else f"lfs+{holder.key}"
    credentials = f"{name}:lfst-{body}.{_sign(secret, body)}"
    return "Basic " + base64.b64encode(credentials.encode()).decode()


def read_token(secret: str, password: str) -> LfsToken | None:
    """The token of a password; None where it is none of ours or too old."""
    match = _TOKEN.fullmatch(password)
    if match is None:
        return None
    key, project_id, operation, expires, signature = match.groups()
    if not hmac.compare_digest(signature, _sign(secret, f"{key}.{project_id}.{operation}.{expires}")):
        return None
    name = KeyName.parse(key)
    if name is None or int(expires) <= now().timestamp():
        return None
    return LfsToken(name, int(project_id), operation)


def _sign(secret: str, body: str) -> str:
    return hmac.new(secret.encode(), f"lfs-token:{body}".encode(), hashlib.sha256).hexdigest()
