"""Making a data folder and a database ready, with a sentence for everything that can be wrong about them."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ingot import settings as configuration
from ingot.cli.refusals import Refusal
from ingot.settings import Settings

if TYPE_CHECKING:
    from ingot.kit.services import Services

OLDEST_GIT = (2, 38)


def load_settings(**given: Any) -> Settings:
    """Settings of the environment and the file, with what was given on the command line on top."""
    return configuration.load(given)


def require_git() -> None:
    """Refuse a machine without a git that can merge without a working tree."""
    program = shutil.which("git")
    if program is None:
        raise Refusal("git is not installed; Ingot needs git 2.38 or newer.")
    answer = subprocess.run([program, "--version"], capture_output=True, text=True, check=False, timeout=30).stdout
    found = re.search(r"(\d+)\.(\d+)", answer)
    if found is None or (int(found[1]), int(found[2])) < OLDEST_GIT:
        raise Refusal(f"git is too old ({answer.strip() or 'no version'}); Ingot needs git 2.38 or newer.")


def require_folder(folder: Path) -> None:
    """Make the data folder; refuse one that cannot be written to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Refusal(f"The data folder {folder} cannot be made: {error.strerror}.") from error
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise Refusal(f"The data folder {folder} is not writable.")


def ready_services(settings: Settings) -> "Services":
    """Services over a database of this version's schema."""
    require_folder(settings.data_folder)
    from ingot import app as composition
    from ingot.kit import schema

    composition.load_features()
    services = composition.build_services(settings)
    schema.prepare(services.db)
    return services
