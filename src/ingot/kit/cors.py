"""Cross-origin rules: preflights are answered for any origin, answers expose the pagination and file headers."""

from starlette.requests import Request
from starlette.responses import Response

METHODS = "GET, POST, PUT, PATCH, DELETE, OPTIONS, HEAD"
EXPOSED = (
    "Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page, X-Gitlab-Blob-Id, X-Gitlab-Commit-Id,"
    " X-Gitlab-Content-Sha256, X-Gitlab-Encoding, X-Gitlab-File-Name, X-Gitlab-File-Path, X-Gitlab-Last-Commit-Id,"
    " X-Gitlab-Ref, X-Gitlab-Size, X-Request-Id"
)


def is_preflight(request: Request) -> bool:
    """A browser asks before it sends the real request."""
    if request.method != "OPTIONS":
        return False
    return "origin" in request.headers and "access-control-request-method" in request.headers


def preflight(request: Request) -> Response:
    """Anybody may call from anywhere: the token is the credential, not a cookie."""
    headers = {
        "Access-Control-Allow-Origin": "*",
        "Access-Control-Allow-Methods": METHODS,
        "Access-Control-Max-Age": "7200",
    }
    if requested := request.headers.get("access-control-request-headers"):
        headers["Access-Control-Allow-Headers"] = requested
    return Response(b"", headers=headers, media_type="text/plain")


def decorate(request: Request, response: Response) -> None:
    """Add the headers of a plain cross-origin request."""
    if b"vary" in dict(response.raw_headers):
        response.headers.add_vary_header("Origin")
    else:
        response.raw_headers.append((b"vary", b"Origin"))
    origin = request.headers.get("origin")
    if origin is None:
        return
    headers = response.headers
    if origin == str(request.base_url).rstrip("/"):
        headers["Access-Control-Allow-Origin"] = origin
        headers["Access-Control-Allow-Credentials"] = "true"
    else:
        headers["Access-Control-Allow-Origin"] = "*"
    headers["Access-Control-Allow-Methods"] = METHODS
    headers["Access-Control-Expose-Headers"] = EXPOSED
