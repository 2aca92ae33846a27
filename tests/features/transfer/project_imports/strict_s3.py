"""A small S3 that believes only its own key pair: it checks the signature of every address, and says why it refuses."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, parse_qsl, quote, urlsplit

import botocore.auth
import botocore.awsrequest
import botocore.credentials

KEY_ID, SECRET, REGION, BUCKET, KEY = "AKIAREALREALREALREAL", "the-real-secret", "eu-west-1", "vault", "a/b.tar.gz"
MESSAGES = {
    "InvalidAccessKeyId": "The AWS Access Key Id you provided does not exist in our records.",
    "SignatureDoesNotMatch": (
        "The request signature we calculated does not match the signature you provided."
        " Check your key and signing method."
    ),
    "AuthorizationHeaderMalformed": f"the region is wrong; expecting '{REGION}'",
    "AccessDenied": "Access Denied",
}


class StrictS3:
    """Where it listens, and what it holds."""

    def __init__(self, port: int) -> None:
        self.endpoint = f"http://127.0.0.1:{port}"
        self.content = b""


def signature(method: str, url: str, moment: str) -> str:
    """What the holder of the real secret would have signed, by a library that is not ours."""
    place = urlsplit(url)
    # As S3 does: values are read and escaped anew, whatever the client escaped on the way.
    sent = sorted(pair for pair in parse_qsl(place.query) if pair[0] != "X-Amz-Signature")
    plain = "&".join(f"{name}={quote(value, safe='')}" for name, value in sent)
    request = botocore.awsrequest.AWSRequest(method, f"http://{place.netloc}{place.path}?{plain}")
    request.context["timestamp"] = moment
    signer = botocore.auth.S3SigV4QueryAuth(botocore.credentials.Credentials(KEY_ID, SECRET), "s3", REGION)
    canonical = signer.canonical_request(request)
    return str(signer.signature(signer.string_to_sign(request, canonical), request))


class _Handler(BaseHTTPRequestHandler):
    place: StrictS3

    def _refusal(self) -> str | None:
        asked = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(asked.query).items()}
        who, _, region = query.get("X-Amz-Credential", "").split("/")[:3]
        if who != KEY_ID:
            return "InvalidAccessKeyId"
        if region != REGION:
            return "AuthorizationHeaderMalformed"
        url = f"http://{self.headers['Host']}{self.path}"
        if signature("GET", url, query["X-Amz-Date"]) != query["X-Amz-Signature"]:
            return "SignatureDoesNotMatch"
        return None if asked.path == f"/{BUCKET}/{KEY}" else "AccessDenied"

    def do_GET(self) -> None:
        code = self._refusal()
        if code is not None:
            text = f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>{MESSAGES[code]}</Message></Error>"
            self._answer(400 if code == "AuthorizationHeaderMalformed" else 403, text.encode(), "application/xml")
        elif self.headers.get("Range") == "bytes=0-0":
            size = len(self.place.content)
            self._answer(206, self.place.content[:1], "application/gzip", f"bytes 0-0/{size}")
        else:
            self._answer(200, self.place.content, "application/gzip")

    def _answer(self, status: int, body: bytes, kind: str, place: str | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if place is not None:
            self.send_header("Content-Range", place)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Quiet."""


@contextmanager
def strict_s3() -> Iterator[StrictS3]:
    """The server, for as long as the block lasts."""
    handler = type("Handler", (_Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    handler.place = StrictS3(server.server_port)  # type: ignore[attr-defined]
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield handler.place  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
