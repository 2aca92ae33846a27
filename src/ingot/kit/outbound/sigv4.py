"""Presigned S3 addresses (AWS signature version 4, query form), for any key that S3 itself takes."""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from urllib.parse import quote, urlsplit


def presign(
    method: str,
    url: str,
    *,
    region: str,
    access_key_id: str,
    secret_access_key: str,
    lifetime: timedelta,
    now: datetime | None = None,
    query: Mapping[str, str] | None = None,
) -> str:
    """The address with a signature that is good for `method` until `lifetime` has passed. `url` is escaped already."""
    now = now or datetime.now(UTC)
    stamp, day = now.strftime("%Y%m%dT%H%M%SZ"), now.strftime("%Y%m%d")
    scope = f"{day}/{region}/s3/aws4_request"
    parts = urlsplit(url)
    values = {
        **(query or {}),
        "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
        "X-Amz-Credential": f"{access_key_id}/{scope}",
        "X-Amz-Date": stamp,
        "X-Amz-Expires": str(int(lifetime.total_seconds())),
        "X-Amz-SignedHeaders": "host",
    }
    words = "&".join(f"{name}={quote(value, safe='')}" for name, value in sorted(values.items()))
    request = "\n".join([method, parts.path, words, f"host:{parts.netloc}", "", "host", "UNSIGNED-PAYLOAD"])
    to_sign = "\n".join(["AWS4-HMAC-SHA256", stamp, scope, hashlib.sha256(request.encode()).hexdigest()])
    key = f"AWS4{secret_access_key}".encode()
    for part in (day, region, "s3", "aws4_request", to_sign):
        key = hmac.digest(key, part.encode(), "sha256")
    return f"{url}?{words}&X-Amz-Signature={key.hex()}"
