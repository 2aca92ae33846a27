"""Preparing a data folder and a database, with an error message for each problem."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from ingot import settings as configuration
from ingot.cli.refusals import Refusal
from ingot.kit.loading import without_collection
from ingot.kit.private_files import close_existing_files, create_private_files
from ingot.settings import Settings

if TYPE_CHECKING:
    from ingot.kit.services import Services


def load_settings(**given: object) -> Settings:
    """Settings of the environment and the file, with what was given on the command line on top.

    Every verb that touches data begins here, so that none creates a file that others can read.
    """
    create_private_files()
    return configuration.load(given)


def require_git() -> None:
    """Refuse a machine without git, or with one that is too old or known to be unsafe."""
    from ingot.gitstore.version import problem_with_git

    problem = problem_with_git()
    if problem is not None:
        raise Refusal(problem)


def require_certificate(settings: Settings) -> None:
    """Refuse certificate files that cannot be used."""
    if settings.tls_certificate:
        from ingot.kit.http import Certificate

        Certificate(settings)


def require_folder(folder: Path) -> None:
    """Make the data folder; refuse one that cannot be written to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refusal(
            f"The data folder {folder} cannot be created: {error.strerror}. Specify another one with --data."
        ) from error
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise Refusal(f"The data folder {folder} is not writable. Specify another one with --data.")


@without_collection()
def existing_services(settings: Settings) -> "Services":
    """As `ready_services`, for commands that manage an existing instance: none is created."""
    require_instance(settings)
    return ready_services(settings)


def require_instance(settings: Settings) -> None:
    """Refuse a folder, or a database, without an instance."""
    from ingot.kit.db import Database
    from ingot.kit.schema import stored_revision

    place = str(settings.data_folder) if settings.is_sqlite else "the database"
    is_there = True
    if settings.is_sqlite:
        file = settings.effective_database_url.removeprefix("sqlite:///")
        is_there = Path(file).is_file()
    if is_there:
        db = Database(settings.effective_database_url, 1, behind_pooler=settings.database_pooler)
        with db.read() as conn:
            is_there = stored_revision(conn) is not None
        db.dispose()
    if not is_there:
        raise Refusal(
            f"There is no instance in {place}. Create one with `ingot init`, or specify another folder with --data."
        )


@without_collection()
def ready_services(settings: Settings) -> "Services":
    """Services over a database of this version's schema."""
    require_folder(settings.data_folder)
    close_existing_files(settings)
    from ingot import app as composition
    from ingot.kit import schema

    composition.load_features()
    services = composition.build_services(settings)
    schema.prepare(services.db)
    return services
