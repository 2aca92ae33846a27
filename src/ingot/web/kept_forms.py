"""Forms that come after their session has ended: nothing is done, and nothing that was typed is lost.

The fields go along with the sign-in form, packed into one. Afterwards a page shows them and asks; nothing is sent on
by itself. Secrets and files do not go along: that page asks for each of them again, by its name.
"""

import base64
import binascii
import zlib
from collections.abc import Callable, Iterable
from urllib.parse import urlencode

import msgspec

from ingot.features.people.user_pages import local_path
from ingot.kit.params import UploadedFile
from ingot.kit.patterns import pattern
from ingot.web.call import PageCall, View
from ingot.web.form_targets import AUTHORIZE, policy_on_the_way
from ingot.web.frames import site_view
from ingot.web.rendering import TYPED
from ingot.web.sending import flat_fields

FIELD = "kept"
GO_ON = "/-/user_settings/confirm_access/go_on"  # for those who signed in in another tab
LONGEST = 400_000  # characters; pages hold them several times. What is longer comes back to be copied
LONGEST_PACKED = 1_500_000  # of that, in any language
LONGEST_PLAIN = 6 * LONGEST  # bytes, with the signs of JSON around them
# People type these again: no page shows them.
SECRETS = ("password", "password_confirmation", "secret", "token", "otp_attempt", "pin_code", "device_response")
SECRET_ENDS = ("_password", "_secret", "_token", "_key")
NOT_TYPED = ("secret", "device_response")  # but by our pages
LONGEST_FILENAME = 255
_ADDRESS_WITH_PASSWORD = pattern(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#\s]*:[^/?#\s]*@\S*")
# Of the handlers of some forms, which of their fields hold secrets, although their names do not tell.
_declared: dict[Callable[..., object], frozenset[str]] = {}
NOT_STORED = {"Cache-Control": "no-store"}


class KeptForm(msgspec.Struct, frozen=True):
    """What was to be sent, and where to."""

    to: str
    fields: list[tuple[str, str]]
    secrets: tuple[str, ...] = ()  # names of those that were filled in, and are typed again
    files: tuple[tuple[str, str], ...] = ()  # fields with the names of files, which are chosen again

    @property
    def texts(self) -> list[tuple[str, str]]:
        """What somebody wrote."""
        return [(name, value) for name, value in self.fields if name in TYPED and value.strip()]

    @property
    def others(self) -> list[tuple[str, str]]:
        """The other fields."""
        return [(name, value) for name, value in self.fields if name not in TYPED or not value.strip()]


def declare_secrets(handler: Callable[..., object], names: Iterable[str]) -> None:
    """Let these fields of a form not go along."""
    _declared[handler] = frozenset(names)


def carry_along(call: PageCall) -> None:
    """Let the next form bring what was sent."""
    call.values = carried(form_of(call))


def carried(form: KeptForm) -> dict[str, object]:
    packed = _packed(form)
    return {FIELD: packed} if packed else {}


def kept_fields(call: PageCall) -> dict[str, object]:
    """What the forms of signing in carry along."""
    packed = call.values.get(FIELD)
    form = find_kept(call)
    return {} if form is None else {"kept": packed, "kept_form": form, "has_ended": True}


def find_kept(call: PageCall) -> KeptForm | None:
    """The form that was carried along."""
    packed = call.values.get(FIELD)
    # What a link brings, somebody else may have filled in; a form has a token of ours.
    if call.request.method != "POST":
        return None
    if not isinstance(packed, str) or not packed or len(packed) > LONGEST_PACKED:
        return None
    try:
        plain = zlib.decompressobj().decompress(base64.urlsafe_b64decode(packed), LONGEST_PLAIN)
        form = msgspec.json.decode(plain, type=KeptForm)
    except (ValueError, binascii.Error, zlib.error, msgspec.MsgspecError):
        return None
    is_short = sum(len(value) for _, value in form.fields) <= LONGEST
    return form if is_short and local_path(form.to, fallback="") else None


def ask_to_send(call: PageCall, form: KeptForm, *, status: int = 403, is_confirmed: bool = False) -> View:
    """The filled form for somebody who is signed in, or who has just confirmed who they are."""
    view = site_view(call, "send_again", status, kept_form=form, is_confirmed=is_confirmed)
    view.headers.update({**_policy_of(call, form), **NOT_STORED})
    return view


def _policy_of(call: PageCall, form: KeptForm) -> dict[str, str]:
    """The answer to an application's wish is followed by a redirect to it."""
    if form.to != AUTHORIZE:
        return {}
    with call.services.db.read() as conn:
        return policy_on_the_way(conn, f"{AUTHORIZE}?{urlencode(form.fields)}")


def form_of(call: PageCall) -> KeptForm:
    query = f"?{call.request.url.query}" if call.request.url.query else ""
    raw: bytes = call.request.scope.get("raw_path") or call.request.scope["path"].encode()
    to = local_path(raw.partition(b"?")[0].decode("ascii", "replace") + query, fallback="/")
    declared = _declared.get(call.endpoint.handler, frozenset())
    if "masked" in call.values:
        declared |= {"value"}  # of a variable that no log shows
    fields, secrets = [], []
    for name, value in flat_fields(call.values):
        if name in declared or _is_secret(name, value):
            secrets += [name] if value and _last(name) not in NOT_TYPED else []
        else:
            fields.append((name, value))
    return KeptForm(to, fields, tuple(secrets), tuple(_files(call)))


def _files(call: PageCall) -> Iterable[tuple[str, str]]:
    for name, value in call.values.items():
        if isinstance(value, UploadedFile) and value.filename:
            yield name, value.filename[:LONGEST_FILENAME]


def _is_secret(name: str, value: str) -> bool:
    """By its name, or because it is the address of something with a password in it."""
    last = _last(name)
    if last in SECRETS or last.endswith(SECRET_ENDS):
        return True
    return last not in TYPED and _ADDRESS_WITH_PASSWORD.fullmatch(value.strip()) is not None


def _last(name: str) -> str:
    return name.rpartition("[")[2].rstrip("]")


def _packed(form: KeptForm) -> str:
    """As one field; empty where it is too long."""
    packed = base64.urlsafe_b64encode(zlib.compress(msgspec.json.encode(form), 6)).decode()
    return packed if len(packed) <= LONGEST_PACKED else ""
