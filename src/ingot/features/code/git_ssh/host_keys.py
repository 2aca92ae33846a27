"""The server's host keys: created on the first start, stored next to the secret key, the same on all nodes."""

import os
from pathlib import Path

from ingot.kit.public_keys import PublicKey, read_public_key

FOLDER = "ssh_host_keys"
KINDS = ("ed25519", "ecdsa", "rsa")
RSA_BITS = 3072


def ensure_host_keys(data_folder: Path) -> list[Path]:
    """The files with the keys; missing ones are created."""
    folder = data_folder / FOLDER
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    files = [folder / f"ssh_host_{kind}_key" for kind in KINDS]
    for kind, file in zip(KINDS, files, strict=True):
        if not file.exists():
            _write_once(file, _create(kind))
    return files


def host_fingerprints(data_folder: Path) -> list[PublicKey]:
    """The public halves of the keys that are there, for people who compare fingerprints."""
    from cryptography.hazmat.primitives import serialization  # with SSH off, the server runs without it

    files = [data_folder / FOLDER / f"ssh_host_{kind}_key" for kind in KINDS]
    shown = []
    for file in files:
        if file.exists():
            private = serialization.load_ssh_private_key(file.read_bytes(), None)
            text = private.public_key().public_bytes(serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH)
            shown.append(read_public_key(text.decode()))
    return [key for key in shown if key is not None]


def _create(kind: str) -> bytes:
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

    key: ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey
    match kind:
        case "ecdsa":
            key = ec.generate_private_key(ec.SECP256R1())
        case "rsa":
            key = rsa.generate_private_key(65537, RSA_BITS)
        case _:
            key = ed25519.Ed25519PrivateKey.generate()
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
