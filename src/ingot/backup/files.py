"""Parts copied by both forms: repository storages and the secret key."""

import shutil
from pathlib import Path

from ingot.backup.errors import BackupError
from ingot.backup.mirror import Copied, mirror
from ingot.settings import Settings


def copy_storages(settings: Settings, target: Path) -> Copied:
    """The repositories of every storage, brought up to date."""
    total = Copied()
    for name, root in settings.storage_roots.items():
        if root.is_dir():
            total.add(mirror(root, target / "repositories" / name))
    return total


def copy_key(settings: Settings, target: Path) -> None:
    """The encryption key, if it is a file; a key from the environment is kept by the operator."""
    key = settings.data_folder / "secret_key"
    if key.exists():
        _copy_secret(key, target / "secret_key")
    _copy_host_keys(settings.data_folder, target)


def restore_key(settings: Settings, source: Path) -> None:
    """Put the key back."""
    key = source / "secret_key"
    if key.exists():
        settings.data_folder.mkdir(parents=True, exist_ok=True)
        _copy_secret(key, settings.data_folder / "secret_key")
    _copy_host_keys(source, settings.data_folder)


def _copy_host_keys(source: Path, target: Path) -> None:
    """Clients recognise the SSH server by these keys."""
    folder = source / "ssh_host_keys"
    for key in folder.iterdir() if folder.is_dir() else ():
        (target / folder.name).mkdir(mode=0o700, parents=True, exist_ok=True)
        _copy_secret(key, target / folder.name / key.name)


def _copy_secret(source: Path, target: Path) -> None:
    shutil.copy2(source, target)
    target.chmod(0o600)


def fill(source: Path, target: Path) -> None:
    """Copy a tree into a folder that must be empty."""
    if target.is_dir() and any(target.iterdir()):
        raise BackupError(f"{target} is not empty. Restore into an empty data folder.")
    if source.is_dir():
        mirror(source, target)
