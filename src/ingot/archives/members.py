"""Heads of tar members, as an archive of a project may have them: none that is long, and none with holes.

The library reads extended heads whole and believes their sizes; both are checked before it does.
"""

import tarfile
from typing import Any, NoReturn, Self

LONGEST_HEAD = 64 * 1024
_EXTENSIONS = (
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
)


class MemberRefused(tarfile.TarError):
    """The head of a member is not accepted; the text is shown to the archive's owner."""


class Member(tarfile.TarInfo):
    """A member whose head is checked as it is read."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """The head in these bytes. Invalid bytes are an error, not the end of the archive."""
        try:
            return super().frombuf(buf, encoding, errors)
        except (tarfile.EmptyHeaderError, tarfile.EOFHeaderError):  # type: ignore[attr-defined] # not in its types
            raise
        except tarfile.HeaderError:
            raise MemberRefused("The archive is damaged or is no tar archive") from None

    def _proc_member(self, tar: tarfile.TarFile) -> Any:
        if self.type == tarfile.GNUTYPE_SPARSE:
            _refuse_holes()
        if self.size < 0:
            raise MemberRefused("The archive has an entry of a negative size")
        if self.type in _EXTENSIONS and self.size > LONGEST_HEAD:
            raise MemberRefused("The archive has an entry whose head is too long")
        tar.pax_headers = {}
        return super()._proc_member(tar)  # type: ignore[misc]

    def _proc_gnusparse_00(self, *_: object) -> NoReturn:
        _refuse_holes()

    def _proc_gnusparse_01(self, *_: object) -> NoReturn:
        _refuse_holes()

    def _proc_gnusparse_10(self, *_: object) -> NoReturn:
        _refuse_holes()


def _refuse_holes() -> NoReturn:
    # Holes are no bytes of the archive, so no limit on bytes would count them.
    raise MemberRefused("The archive has an entry with holes")
