"""A server for tests of GitLab clients: a context manager here, fixtures for pytest in `ingot.testing.plugin`.

with running() as ingot:
    project = ingot.make_project(files={"README.md": "Hello"})
"""

from ingot.testing.instance import Ingot, User
from ingot.testing.server import IngotServer, StartFailed, running
from ingot.testing.talking import CallFailed

__all__ = ["CallFailed", "Ingot", "IngotServer", "StartFailed", "User", "running"]
