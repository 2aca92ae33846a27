"""The directory: who has a name there, and whether the password is theirs."""

import ssl
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING

import msgspec

from ingot.features.people.openid import Identity
from ingot.settings import Settings

if TYPE_CHECKING:
    from ldap3 import Connection

PROVIDER = "ldapmain"
PATIENCE = 10  # seconds
LONGEST_NAME = 255
_loading = threading.Lock()


class Entry(msgspec.Struct, frozen=True):
    """An entry of the directory."""

    dn: str
    attributes: Mapping[str, object]


class DirectoryUnavailable(Exception):
    """The directory cannot be asked. The text is for the log, not for people."""


class TriedTooOften(Exception):
    """Somebody guesses the password of this entry."""


def authenticate(
    settings: Settings, name: str, password: str, is_tried_too_often: Callable[[str], bool] = lambda _: False
) -> Identity | None:
    """The person with this name and password; None for anybody else.

    Attempts are counted by the entry: a directory finds it under many spellings of the name.

    The server searches the entry, then opens a second connection as that entry: the directory itself judges the
    password. An empty one would be accepted by many directories as a connection of nobody.
    """
    if not name or not password or len(name) > LONGEST_NAME or "\0" in name + password:
        return None
    library = _library()
    from ldap3.core.exceptions import LDAPException

    try:
        with _searching(library, settings) as searching:
            entry = _search(library, searching, settings, name)
        if entry is None:
            return None
        if is_tried_too_often(entry.dn.lower()):
            raise TriedTooOften
        with _connected(library, settings, entry.dn, password) as theirs:
            is_right = bool(theirs.bind())
    except (LDAPException, OSError) as error:
        raise DirectoryUnavailable(str(error)) from error
    return _identity(settings, entry) if is_right else None


def has_directory_password(
    settings: Settings, subject: str, password: str, is_tried_too_often: Callable[[str], bool]
) -> bool:
    """Whether the password is that of a person whom the directory has let in before, and lets in still."""
    library = _library()
    from ldap3.core.exceptions import LDAPException, LDAPInvalidDnError

    try:
        with _searching(library, settings) as searching:
            everything = "(objectClass=*)"
            searching.search(subject, everything, search_scope=library.BASE, attributes=[settings.ldap_uid])
            entry = _only_entry(searching)
    except LDAPInvalidDnError:
        return False
    except (LDAPException, OSError) as error:
        raise DirectoryUnavailable(str(error)) from error
    # By the name, as at the sign-in: who is no longer among those that may come in is refused.
    name = "" if entry is None else _identity(settings, entry).username
    identity = authenticate(settings, name, password, is_tried_too_often)
    return identity is not None and identity.subject == subject.lower()


def _library() -> ModuleType:
    """Loaded at the first sign-in. It asks another library for names that are about to change."""
    with _loading, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        import ldap3

        return ldap3


@contextmanager
def _searching(library: ModuleType, settings: Settings) -> Iterator["Connection"]:
    """A connection of the server itself."""
    with _connected(library, settings, settings.ldap_bind_dn, settings.ldap_bind_password) as connection:
        if not connection.bind():
            raise DirectoryUnavailable("the directory refused `ldap_bind_dn`")
        yield connection


@contextmanager
def _connected(library: ModuleType, settings: Settings, dn: str, password: str) -> Iterator["Connection"]:
    """A connection that is encrypted where it shall be, and closed in the end."""
    tls = library.Tls(validate=ssl.CERT_REQUIRED)
    # The library compares names after the handshake, and leaves the connection open where they differ.
    tls.wrap_socket = partial(_encrypt, ssl.create_default_context(cafile=settings.ldap_ca_file or None))
    server = library.Server(settings.ldap_url, connect_timeout=PATIENCE, get_info=library.NONE, tls=tls)
    connection: Connection = library.Connection(
        server, dn or None, password or None, read_only=True, auto_referrals=False, receive_timeout=PATIENCE
    )
    try:
        connection.open(read_server_info=False)
        if settings.ldap_url.startswith("ldap://") and settings.ldap_start_tls:
            connection.start_tls(read_server_info=False)
        yield connection
    finally:
        connection.unbind()
        if connection.socket is not None:
            connection.socket.close()


def _encrypt(context: ssl.SSLContext, connection: "Connection", do_handshake: bool = False) -> None:  # noqa: ARG001
    connection.socket = context.wrap_socket(connection.socket, server_hostname=connection.server.host)


def _search(library: ModuleType, connection: "Connection", settings: Settings, name: str) -> Entry | None:
    """The only entry with this name; what people type is data, never a part of the filter."""
    from ldap3.utils.conv import escape_filter_chars

    condition = f"({settings.ldap_uid}={escape_filter_chars(name)})"
    connection.search(
        settings.ldap_base,
        f"(&{condition}{settings.ldap_filter})" if settings.ldap_filter else condition,
        search_scope=library.SUBTREE,
        attributes=[settings.ldap_uid, "mail", "cn"],
        size_limit=2,
    )
    return _only_entry(connection)


def _only_entry(connection: "Connection") -> Entry | None:
    entries = [entry for entry in connection.response or [] if entry.get("type") == "searchResEntry"]
    if len(entries) != 1 or not entries[0].get("dn"):
        return None
    return Entry(entries[0]["dn"], entries[0]["attributes"])


def _identity(settings: Settings, entry: Entry) -> Identity:
    def first(name: str) -> str:
        value = entry.attributes.get(name) or ""
        return str(value[0] if isinstance(value, list) else value)

    # The operator's own directory vouches for the address.
    return Identity(entry.dn.lower(), first("mail"), True, first("cn"), first(settings.ldap_uid))
