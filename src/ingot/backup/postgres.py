"""The database of the scale-out form, by PostgreSQL's own programs."""

import os
import shutil
import subprocess
from pathlib import Path

from sqlalchemy import create_engine, inspect
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from ingot.backup.errors import BackupError

DUMP = "ingot.dump"


def dump(url: str, folder: Path) -> int:
    """One consistent snapshot of the whole database, taken while everybody works; returns its size."""
    file = folder / DUMP
    _run("pg_dump", url, "--format=custom", "--no-owner", "--no-privileges", f"--file={file}")
    return file.stat().st_size


def load(url: str, folder: Path) -> None:
    """Bring a dump into an empty database: all of it, or nothing."""
    _run(
        "pg_restore",
        url,
        "--no-owner",
        "--no-privileges",
        "--single-transaction",
        "--exit-on-error",
        file=folder / DUMP,
    )


def require_empty(url: str) -> None:
    """Raise unless the database is there and holds no tables."""
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"))
    try:
        names = inspect(engine).get_table_names()
    except SQLAlchemyError as error:
        raise BackupError(f"The database cannot be read: {str(error).splitlines()[0]}") from error
    finally:
        engine.dispose()
    if names:
        raise BackupError(f"The database has a table named {min(names)}. Restore into an empty database.")


def _run(program: str, url: str, *words: str, file: Path | None = None) -> None:
    path = shutil.which(program)
    if path is None:
        raise BackupError(f"{program} is not installed. Install the PostgreSQL client tools.")
    plain = make_url(url).set(drivername="postgresql")
    # Other users of the machine see a program's words, not its environment.
    environment = {**os.environ, **({"PGPASSWORD": str(plain.password)} if plain.password else {})}
    place = plain.set(password=None).render_as_string(hide_password=False)
    call = [path, *words, f"--dbname={place}", *([str(file)] if file is not None else [])]
    done = subprocess.run(call, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = [line.removeprefix(f"{program}: ") for line in done.stderr.strip().splitlines()]
        reason = "; ".join(line.removeprefix("error: ").removeprefix("detail: ") for line in lines[:2])
        raise BackupError(f"{program} failed: {reason or 'no reason given'}")
