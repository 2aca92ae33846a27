"""Projects that have an address to pull from."""

from typing import Any

from sqlalchemy import update

from ingot.access.tables import projects
from tests.support.world import World


def give_origin(world: World, project: dict[str, Any]) -> None:
    """Let the project have been imported from a place that is not there any more."""
    with world.server.services.db.write() as tx:
        tx.execute(
            update(projects).where(projects.c.id == project["id"]).values(import_url="https://127.0.0.1:9/a.git")
        )
