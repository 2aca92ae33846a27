"""Push mirrors follow every change of a branch or tag."""

from sqlalchemy import Connection

from ingot.events import RepositoryFilled
from ingot.features.code.remote_mirrors.commands import queue_updates
from ingot.features.code.remote_mirrors.queries import enabled_mirrors
from ingot.kit.changes import Change, follows
from ingot.kit.events import listen
from ingot.kit.services import Services


@follows("push")
def follow_push(tx: Connection, change: Change) -> None:
    """Refs moved, by git or by an endpoint."""
    if change.project_id is not None and (mirrors := enabled_mirrors(tx, change.project_id)):
        queue_updates(tx, change.project_id, mirrors)


@listen(RepositoryFilled)
def follow_filling(services: Services, event: RepositoryFilled) -> None:
    """A fetch brought refs."""
    with services.db.write() as tx:
        if mirrors := enabled_mirrors(tx, event.project_id):
            queue_updates(tx, event.project_id, mirrors)
