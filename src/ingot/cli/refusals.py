"""Error messages: one sentence for each known fault."""

import sqlite3

from ingot.settings import SettingError


class Refusal(Exception):
    """Ends the program; the text is shown to the user."""


def no_user(name: str) -> Refusal:
    """An empty name is mostly that of an unset variable."""
    return Refusal(f"There is no user {name or 'without a name'}. Run `ingot user list` to see all users.")


def no_project(path: str) -> Refusal:
    """Of a project that was named by its number or path."""
    return Refusal(f"There is no project {path or 'without a path'}. Run `ingot project list` to see all projects.")


def sentence_of(error: BaseException) -> str | None:
    """The message of a known fault, or None for a bug."""
    if isinstance(error, Refusal):
        return str(error)
    if isinstance(error, SettingError):
        return f"Invalid setting: {error}."
    if isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed":
        # A word of the command line in another encoding: no name of an instance can be meant.
        shown = error.object.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        return f"{shown} is not valid UTF-8. Set the terminal or the LANG variable to UTF-8."
    if isinstance(error, PermissionError):
        return (
            f"{error.filename or 'A file'} is not writable. Specify another path, or give this user write permission."
        )
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename} cannot be used: {error.strerror}. Specify another path."
    return _of_database(error)


def _of_database(error: BaseException) -> str | None:
    if isinstance(error, sqlite3.OperationalError):
        return _unusable(error)
    if not type(error).__module__.startswith(("sqlalchemy.", "ingot.kit.schema")):
        return None
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError

    from ingot.kit.schema import NewerDatabase

    if isinstance(error, NewerDatabase):
        return str(error)
    if isinstance(error, ArgumentError | NoSuchModuleError):
        return "Invalid setting: database_url is not a SQLite or PostgreSQL URL."
    return _unusable(error.orig) if isinstance(error, OperationalError) else None


def _unusable(fault: BaseException | None) -> str:
    cause = " ".join(str(fault).split()).rstrip(".?")
    checks = "Check the settings database_url and data, and that the database server is running."
    return f"The database cannot be used: {cause}. {checks}"
