"""Checks of the machine: git, folders, free space, and the integrity of the database."""

import os
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from ingot.doctor.finding import REPAIR, RESTORE, Finding
from ingot.gitstore.version import problem_with_git
from ingot.kit.private_files import is_open_to_others, private_places
from ingot.kit.schema import extra_statements
from ingot.kit.services import Services
from ingot.kit.standby import Standby, position_of

_WITHOUT_TRIGRAMS = text(
    "SELECT EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'pg_trgm')"
    " AND NOT EXISTS (SELECT 1 FROM pg_indexes WHERE indexname = 'ix_merge_requests_title_trgm')"
)
LOW_SPACE = 512 * 1024 * 1024
ROLE_LIMITS = {"statement_timeout": "30s", "lock_timeout": "30s", "idle_in_transaction_session_timeout": "60s"}
FAR_BEHIND = 64 * 1024 * 1024  # bytes of the log


def examine(services: Services, repair: bool) -> Iterator[Finding]:
    """Look at the machine."""
    yield from _git()
    settings = services.settings
    for folder in {settings.data_folder, *settings.storage_roots.values()}:
        yield from _folder(folder)
    for path in private_places(settings):
        if is_open_to_others(path):
            sentence = f"Other users of this machine can read {path}. Only the Ingot user should have access."
            yield Finding(sentence, command=f"chmod go= {shlex.quote(str(path))}")
    yield from _sqlite(services) if settings.is_sqlite else _postgres(services, repair)


def _git() -> Iterator[Finding]:
    problem = problem_with_git()
    if problem is not None:
        yield Finding(problem)


def _folder(folder: Path) -> Iterator[Finding]:
    if not folder.is_dir():
        # A storage's folder is made with its first repository.
        return
    if not os.access(folder, os.W_OK | os.X_OK):
        place = shlex.quote(str(folder))
        sentence = f"Ingot cannot write to the folder {folder}. Make the user that runs Ingot its owner."
        yield Finding(sentence, command=f"chown -R {os.geteuid()} {place} && chmod u+rwx {place}")
    free = shutil.disk_usage(folder).free
    if free < LOW_SPACE:
        sentence = f"{folder} has only {free // 1_000_000} MB left. Free some disk space or enlarge the disk."
        yield Finding(sentence)


def _sqlite(services: Services) -> Iterator[Finding]:
    with services.db.read() as conn:
        answers = conn.execute(text("PRAGMA quick_check(3)")).scalars().all()
        broken = conn.execute(text("PRAGMA foreign_key_check")).all()
    if list(answers) != ["ok"]:
        yield Finding(
            f"The database is damaged ({'; '.join(answers)}). Stop Ingot and restore the newest backup.",
            command=RESTORE,
        )
    if broken:
        tables = sorted({str(row[0]) for row in broken})
        sentence = f"{len(broken)} database rows reference rows that do not exist, in {', '.join(tables)}."
        yield Finding(f"{sentence} Stop Ingot and restore the newest backup.", command=RESTORE)


def _postgres(services: Services, repair: bool) -> Iterator[Finding]:
    with services.db.read() as conn:
        if conn.execute(text("SELECT lower('\u00c4') <> '\u00e4'")).scalar_one():
            yield Finding(
                "The database locale supports only ASCII letters, so searches for other letters are case-sensitive. "
                "Create a database with another locale and restore a backup into it.",
                command="createdb --template=template0 --locale=C.UTF-8 NAME",
            )
        lacks_indexes = conn.execute(_WITHOUT_TRIGRAMS).scalar_one()
        if services.settings.database_pooler:
            yield from _limits_of_the_role(conn)
        if services.db.standby is not None:
            yield from _standby(services.db.standby, position_of(conn))
    if lacks_indexes:
        # The extension came after the tables.
        if repair:
            with services.db.write() as tx:
                for statement in extra_statements("postgresql"):
                    tx.exec_driver_sql(statement)
        sentence = "Searches are slow: PostgreSQL offers the extension pg_trgm, but their trigram indexes are missing."
        yield Finding(sentence, repaired=repair, command=REPAIR)


def _standby(standby: Standby, position: str) -> Iterator[Finding]:
    """Lists are read from the primary while the standby lacks something, so that nobody notices otherwise."""
    try:
        state = standby.state(position)
    except DBAPIError as fault:
        yield Finding(f"The standby of database_read_url cannot be reached ({type(fault.orig).__name__}).")
        return
    if not state.follows:
        yield Finding("The server of database_read_url is not a standby. It accepts writes.")
    elif state.is_paused:
        yield Finding(
            "The standby of database_read_url is not replaying changes.",
            command="psql -c 'SELECT pg_wal_replay_resume()'",
        )
    elif state.bytes_behind > FAR_BEHIND:
        yield Finding(f"The standby of database_read_url is {state.bytes_behind // 1_000_000} MB behind.")
    else:
        yield Finding(
            f"The standby of database_read_url is replicating, {state.bytes_behind} bytes behind.", is_note=True
        )


def _limits_of_the_role(conn: Connection) -> Iterator[Finding]:
    """Behind a pooler sessions begin with the limits of the role, because Ingot can set none."""
    for name, limit in ROLE_LIMITS.items():
        if conn.exec_driver_sql(f"SHOW {name}").scalar_one() == "0":
            role = conn.exec_driver_sql("SELECT quote_ident(current_user)").scalar_one()
            yield Finding(
                f"The role of the database has no {name}, and behind a pooler Ingot cannot set one.",
                command=f"psql -c \"ALTER ROLE {role} SET {name} = '{limit}'\"",
            )
