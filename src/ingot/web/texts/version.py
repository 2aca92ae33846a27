"""Which answers the rendering processes of this version give: others have other answers to the same questions."""

import hashlib
from functools import cache
from pathlib import Path

LIBRARIES = ("markdown-it-py", "mdit-py-plugins", "nh3", "pygments")


@cache
def renderer_version() -> bytes:
    """A digest of this package and of what it renders with; changes that nobody thought of count too."""
    from importlib.metadata import version

    from ingot import __version__

    digest = hashlib.sha256(__version__.encode())
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    for name in LIBRARIES:
        digest.update(f"{name}=={version(name)}\n".encode())
    return digest.digest()
