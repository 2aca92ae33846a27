"""Why the program cannot go on: one sentence for each known trouble."""

from ingot.settings import SettingError


class Refusal(Exception):
    """The program ends; the text is the sentence that people read."""


def sentence_of(error: BaseException) -> str | None:
    """The sentence for a known trouble, or None for a bug."""
    if isinstance(error, Refusal):
        return str(error)
    if isinstance(error, SettingError):
        return f"A setting is wrong: {error}."
    if isinstance(error, PermissionError):
        return f"{error.filename or 'A file'} is not writable."
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}."
    return _of_database(error)


def _of_database(error: BaseException) -> str | None:
    if not type(error).__module__.startswith(("sqlalchemy.", "ingot.kit.schema")):
        return None
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError

    from ingot.kit.schema import NewerDatabase

    if isinstance(error, NewerDatabase):
        return str(error)
    if isinstance(error, ArgumentError | NoSuchModuleError):
        return "A setting is wrong: database_url is no URL of SQLite or PostgreSQL."
    if isinstance(error, OperationalError):
        cause = " ".join(str(error.orig).split()).rstrip(".")
        return f"The database cannot be used: {cause}."
    return None
