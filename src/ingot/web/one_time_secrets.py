"""New secrets: the form that makes one leads to a page that shows it once. Loading that page again makes no other one.

On the way there the secret waits in the visitor's session (`identity.shown_once`), in no address and in no cookie.
"""

from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from starlette.responses import RedirectResponse, Response

from ingot.features.people.user_pages import SESSION_COOKIE, read_cookie
from ingot.identity.shown_once import PageSecret, find_secret, keep_secret, take_secret
from ingot.kit import wire
from ingot.web.call import PageCall, View
from ingot.web.kept_forms import NOT_STORED
from ingot.web.visitors import require_session


def show_once(call: PageCall, address: str, **fields: str) -> Response:
    """To the page at this address, which shows the secret."""
    path = wire.path_segments(urlsplit(address).path.encode())
    secret = PageSecret(require_session(call).id, path, fields)
    with call.services.db.write() as tx:
        keep_secret(tx, call.services, _cookie(call), secret)
    return RedirectResponse(address, 303)


def with_secret(call: PageCall, show: Callable[[Mapping[str, str]], View]) -> View:
    """The page with the fields of the secret that waits for it, if one does.

    It waits until the rest of the page is there, which may fail; of two visits at the same time one has it.
    """
    secret = None
    if call.session is not None and call.request.method == "GET":
        secret = find_secret(call.services, call.session, _path(call))
    if secret is None:
        return show({})
    view = show(secret.fields)
    with call.services.db.write() as tx:
        is_mine = take_secret(tx, _cookie(call), secret)
    if not is_mine:
        return show({})
    view.headers.update(NOT_STORED)
    return view


def _path(call: PageCall) -> list[str]:
    raw: bytes = call.request.scope.get("raw_path") or call.request.scope["path"].encode()
    return wire.path_segments(raw.partition(b"?")[0])


def _cookie(call: PageCall) -> str:
    return read_cookie(call.request, SESSION_COOKIE, call.base_url)
