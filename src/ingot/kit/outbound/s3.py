"""One object in somebody else's bucket: found with the credentials given, under the rules for outgoing calls."""

from dataclasses import dataclass, field
from datetime import timedelta
from urllib.parse import quote

from ingot.kit.outbound.client import Limits, Outbound
from ingot.kit.outbound.errors import OutboundFailed
from ingot.kit.outbound.sigv4 import presign
from ingot.kit.outbound.urls import Rules
from ingot.kit.patterns import pattern

_REGION = pattern(r"[a-z0-9-]{1,64}")
_BUCKET = pattern(r"[A-Za-z0-9._-]{3,255}")
_MESSAGE = pattern(r"<Message>([^<]*)</Message>")
_TOTAL = pattern(r"/(\d+)$")


class S3Missing(Exception):
    """There is no such object in the bucket."""


class S3Failed(Exception):
    """The store refused or could not be reached; the text is its own, without our credentials."""


@dataclass(frozen=True)
class S3Source:
    """Where the object is. `endpoint` replaces the public service, by the administrator's setting."""

    region: str
    bucket: str
    key: str
    access_key_id: str = field(repr=False)
    secret_access_key: str = field(repr=False)
    endpoint: str | None = None

    def presigned(self, lifetime: timedelta) -> str:
        """An address from which the object can be read without the credentials."""
        if not _REGION.fullmatch(self.region):
            raise S3Failed("The region is not valid")
        if not _BUCKET.fullmatch(self.bucket):
            raise S3Failed("The specified bucket is not valid")
        base = (self.endpoint or f"https://s3.{self.region}.amazonaws.com").rstrip("/")
        return presign(
            "GET",
            f"{base}/{self.bucket}/{quote(self.key, safe='/-_.~')}",
            region=self.region,
            access_key_id=self.access_key_id,
            secret_access_key=self.secret_access_key,
            lifetime=lifetime,
        )


@dataclass(frozen=True)
class S3Object:
    """A found object, and the address to read it from."""

    size: int
    content_type: str
    url: str = field(repr=False)


async def find_s3_object(
    outbound: Outbound, source: S3Source, rules: Rules, *, lifetime: timedelta = timedelta(hours=28)
) -> S3Object:
    """Look the object up. Raises `S3Missing`, `S3Failed`, or `UrlRefused` for an endpoint that may not be called."""
    url = source.presigned(lifetime)
    # One byte instead of HEAD: the answer to a refused GET says why, that to a HEAD says nothing.
    try:
        async with outbound.request(
            "GET", url, rules, headers={"Range": "bytes=0-0"}, limits=Limits(total=15, redirects=0)
        ) as reply:
            content_type = reply.headers.get("Content-Type", "")
            match reply.status:
                case 206:
                    match = _TOTAL.search(reply.headers.get("Content-Range", ""))
                    return S3Object(int(match[1]) if match else 0, content_type, url)
                case 200:
                    return S3Object(int(reply.headers.get("Content-Length", "0")), content_type, url)
                case 416:
                    return S3Object(0, content_type, url)
                case status:
                    raise _refusal(status, await reply.text(), source)
    except OutboundFailed as error:
        raise S3Failed(str(error)) from None


def _refusal(status: int, text: str, source: S3Source) -> Exception:
    if status == 404 and "NoSuchBucket" not in text:
        return S3Missing()
    match = _MESSAGE.search(text)
    message = match[1] if match else f"the store answered {status}"
    for secret in (source.secret_access_key, source.access_key_id):
        message = message.replace(secret, "[FILTERED]")
    return S3Failed(message)
