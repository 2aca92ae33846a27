"""The certificate of the server: read from files at the start, and again when they change."""

from __future__ import annotations

import logging
import ssl
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from ingot.settings import SettingError

if TYPE_CHECKING:
    from ingot.settings import Settings

log = logging.getLogger("ingot.tls")
CHECK_SECONDS = 1.0
# Size, inode and time of both files.
State = tuple[tuple[int, int, int], ...]


class Certificate:
    """A TLS context whose new connections get the newest certificate; open ones keep theirs."""

    def __init__(self, settings: Settings) -> None:
        self._certificate = Path(settings.tls_certificate).absolute()
        self._key = Path(settings.tls_key or settings.tls_certificate).absolute()
        self._state = self._read_state()
        self._checked = 0.0
        self.context = self._new_context()

    def renew(self, now: float) -> None:
        """Load the files again if they changed; files that do not fit each other leave the old certificate."""
        if now - self._checked < CHECK_SECONDS:
            return
        self._checked = now
        try:
            state = self._read_state()
            if state == self._state:
                return
            self._state = state
            # A context that is in use must not see half of a pair.
            self._new_context()
            self.context.load_cert_chain(self._certificate, self._key, _refuse_passphrase)
            log.info("the certificate was renewed from %s", self._certificate)
        except (SettingError, OSError) as error:
            log.warning("the new certificate cannot be used, so the old one stays: %s", error)

    def _new_context(self) -> ssl.SSLContext:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.options |= ssl.OP_NO_RENEGOTIATION  # a cheap question with a costly answer
        context.set_alpn_protocols(["http/1.1"])
        try:
            context.load_cert_chain(self._certificate, self._key, _refuse_passphrase)
        except ssl.SSLError as error:
            if error.reason == "KEY_VALUES_MISMATCH":
                raise SettingError(f"tls_key {self._key} does not belong to {self._certificate}") from None
            pair = f"tls_certificate {self._certificate} and tls_key {self._key}"
            raise SettingError(f"{pair} must hold a certificate and its key in PEM") from None
        return context

    def _read_state(self) -> State:
        return tuple(_state_of(name, path) for name, path in self._files())

    def _files(self) -> tuple[tuple[str, Path], ...]:
        return ("tls_certificate", self._certificate), ("tls_key", self._key)


def _state_of(name: str, path: Path) -> tuple[int, int, int]:
    try:
        with path.open("rb"):
            status = path.stat()
    except FileNotFoundError:
        raise SettingError(f"{name} points to {path}, which does not exist") from None
    except OSError as error:
        raise SettingError(f"{name} points to {path}, which cannot be read: {error.strerror}") from None
    return status.st_size, status.st_ino, status.st_mtime_ns


def _refuse_passphrase() -> NoReturn:
    raise SettingError("tls_key is encrypted; store it without a passphrase")
