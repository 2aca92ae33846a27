"""Parsing the command line that a client sent. Nothing of it is ever run by a shell."""

import shlex

import msgspec

from ingot.features.code.git_ssh.lfs_tokens import OPERATIONS
from ingot.gitstore.smart_http import RECEIVE_PACK, UPLOAD_PACK

UPLOAD_ARCHIVE = "git-upload-archive"
SERVICES = (UPLOAD_PACK, RECEIVE_PACK, UPLOAD_ARCHIVE)
LFS_AUTHENTICATE = "git-lfs-authenticate"
RECOVERY_CODES, CREATE_TOKEN = "2fa_recovery_codes", "personal_access_token"
OF_ACCOUNTS = (RECOVERY_CODES, CREATE_TOKEN)
LONGEST = 8192


class BadCommand(Exception):
    """The command is unknown; the message says so."""


class Unreadable(BadCommand):
    """The command cannot be split into words."""


class Command(msgspec.Struct, frozen=True):
    """One of our commands, with the project's path as it is in the database, and the words behind it.

    Commands about the caller's own account have no path.
    """

    name: str
    path: str
    rest: tuple[str, ...] = ()


def parse(line: str) -> Command | None:
    """The command of a line; None for an empty one, which is answered with a greeting."""
    if len(line) > LONGEST:
        raise Unreadable("Failed to parse command: Invalid SSH command: too long")
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise Unreadable(f"Failed to parse command: Invalid SSH command: {error}") from None
    if not words:
        return None
    if words[0] == "git" and len(words) > 1:  # old clients write `git upload-pack`
        words = [f"git-{words[1]}", *words[2:]]
    if words[0] in SERVICES and len(words) == 2:
        return Command(words[0], project_path(words[1]))
    # Old clients add the name of an object, which is ignored.
    if words[0] == LFS_AUTHENTICATE and len(words) in (3, 4) and words[2] in OPERATIONS:
        return Command(words[0], project_path(words[1]), (words[2],))
    if words[0] in OF_ACCOUNTS:
        if "\0" in line:  # no database takes it
            raise Unreadable("Failed to parse command: Invalid SSH command: zero byte")
        return Command(words[0], "", tuple(words[1:]))
    raise BadCommand(f"Unknown command: {printable(line)}")


def project_path(text: str) -> str:
    """The path of a project in an address; one that no project can have stays as it is and is not found."""
    for prefix in ("~/", "/"):
        if text.startswith(prefix):
            text = text[len(prefix) :]
            break
    return text.removesuffix("/").removesuffix(".git")


def printable(text: str) -> str:
    """The text without anything that moves a terminal's cursor."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)[:200]
