"""The short way to the API: its requests do not walk through what pages need, nor through their routes."""

from starlette.types import ASGIApp, Receive, Scope, Send

from ingot.kit.callers import serve_for


class ApiDoor:
    """Hands what lies below `/api/v4` to the API, and everything else on."""

    def __init__(self, app: ASGIApp, api: ASGIApp) -> None:
        self._app = app
        self._api = api

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request to one or the other."""
        if scope["type"] == "http" and scope.get("client") is not None:
            serve_for(scope["client"][0])
        # Double slashes are made single first (`kit.single_slashes`).
        is_api = (
            scope["type"] == "http"
            and scope["path"].startswith("/api/v4/")
            and b"//" not in (scope.get("raw_path") or b"")
        )
        await (self._api if is_api else self._app)(scope, receive, send)
