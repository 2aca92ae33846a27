"""Which credential a request carries: the accepted forms and their precedence."""

from collections.abc import Mapping

import msgspec
from starlette.datastructures import Headers

from ingot.kit.errors import Malformed


class Credentials(msgspec.Struct, frozen=True):
    """The tokens of a request; empty texts count as absent."""

    access_token: str | None = None
    job_token: str | None = None
    sudo: str | None = None


def of_request(headers: Headers, values: Mapping[str, object]) -> Credentials:
    """Read headers and parameters; `private_token` beats the header, which beats Bearer."""
    bearer = ""
    if raw := headers.get("authorization", ""):
        _refuse_garbage(raw)
        scheme, _, rest = raw.partition(" ")
        bearer = rest.strip() if scheme.lower() == "bearer" else ""
    access = headers.get("private-token", "").strip() or bearer
    job = headers.get("job-token", "").strip()
    sudo = headers.get("sudo", "").strip()
    if values:
        access = (
            _text(values, "private_token") or access or _text(values, "access_token") or _text(values, "bearer_token")
        )
        job = job or _text(values, "job_token") or _text(values, "token")
        sudo = sudo or _scalar(values, "sudo")
    return Credentials(access or None, job or None, sudo or None)


def _refuse_garbage(header: str) -> None:
    """Headers arrive as Latin-1; what is no UTF-8 below makes the whole request malformed."""
    try:
        text = header.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        raise Malformed from None
    if "\x00" in text:
        raise Malformed


def _scalar(values: Mapping[str, object], name: str) -> str:
    """Text of any value: a request that cannot be read must fail, never be passed over with the caller's own rights."""
    value = values.get(name)
    return "" if value is None else str(value).strip()


def _text(values: Mapping[str, object], name: str) -> str:
    value = values.get(name, "")
    return value.strip() if isinstance(value, str) else ""
