"""The seal of an archive: proof that this instance wrote it and nobody changed it since.

Such an archive may name users by id. The seal is a keyed digest over the names and digests of all other files.
"""

import hashlib
import hmac
from collections.abc import Mapping
from pathlib import Path

SEAL_FILE = "INGOT_INSTANCE"  # other readers ignore it


def make_seal(uuid: str, secret: str, digests: Mapping[str, str]) -> bytes:
    """The content of the seal file: the instance's name and the keyed digest."""
    listed = "\n".join(f"{name} {digest}" for name, digest in sorted(digests.items()))
    mark = hmac.new(secret.encode(), f"{uuid}\n{listed}".encode(), hashlib.sha256).hexdigest()
    return f"{uuid}\n{mark}\n".encode()


def is_own(folder: Path, uuid: str, secret: str) -> bool:
    """The unpacked archive carries a valid seal of this instance."""
    seal = folder / SEAL_FILE
    if not seal.is_file() or seal.stat().st_size > 1024:
        return False
    digests = {
        str(path.relative_to(folder)): _digest(path) for path in folder.rglob("*") if path.is_file() and path != seal
    }
    return hmac.compare_digest(seal.read_bytes(), make_seal(uuid, secret, digests))


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
