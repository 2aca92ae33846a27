"""The server's host keys: created on the first start, stored next to the secret key, the same on all nodes."""

import os
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

FOLDER = "ssh_host_keys"
# No RSA: the library would also sign with SHA-1 for clients that ask for it.
KINDS = ("ed25519", "ecdsa")


def ensure_host_keys(data_folder: Path) -> list[Path]:
    """The files with the keys; missing ones are created."""
    folder = data_folder / FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    files = [folder / f"ssh_host_{kind}_key" for kind in KINDS]
    for kind, file in zip(KINDS, files, strict=True):
        if not file.exists():
            _write_once(file, _create(kind))
    return files


def _create(kind: str) -> bytes:
    key: ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey = ed25519.Ed25519PrivateKey.generate()
    if kind == "ecdsa":
        key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, serialization.NoEncryption()
    )


def _write_once(file: Path, content: bytes) -> None:
    """The first writer wins: several nodes may start at the same time on one folder."""
    part = file.with_name(f".{file.name}.{os.getpid()}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())
    try:
        os.link(part, file)
    except FileExistsError:
        pass
    finally:
        part.unlink()
