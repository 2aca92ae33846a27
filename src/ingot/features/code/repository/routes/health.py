"""How a repository lies on disk."""

from datetime import datetime

from ingot.access.call import Call
from ingot.features.code.repository.opening import open_repository
from ingot.features.code.repository.policy import READ_HEALTH
from ingot.gitstore.health import Bitmap, CommitGraph, Objects, PackIndex, References, examine
from ingot.instance.throttling import limit_endpoint
from ingot.kit.clock import now
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity, wire
from ingot.kit.params import Param, Params

routes = Routes("Repositories", guard_first=True, waits=True)
MOST_AN_HOUR = 5


class ReadHealth(Params):
    """Whether to count the call."""

    generate: bool = Param("Asks for new figures, which are made anew anyway; limited to five an hour.", default=False)


class Moment(Entity):
    """A moment in seconds since 1970."""

    seconds: int
    nanos: int = 0


class Alternates(Entity):
    """Other places that hold objects of the repository."""

    object_directories: list[str]


class RepositoryHealth(Entity, kw_only=True):
    """Sizes in bytes, numbers of files, and which indexes there are."""

    size: int
    references: References
    objects: Objects
    commit_graph: CommitGraph | None
    bitmap: Bitmap | None
    multi_pack_index: PackIndex | None
    multi_pack_index_bitmap: Bitmap | None
    alternates: Alternates | None
    is_object_pool: bool = False
    last_full_repack: Moment | None
    updated_at: datetime


@routes.get("/projects/{id}/repository/health", guard=READ_HEALTH, params=ReadHealth, returns=RepositoryHealth)
def get_repository_health(call: Call[ReadHealth]) -> Answer:
    """How the repository lies on disk: references, packs, loose objects and indexes, as they are now (Maintainers)."""
    if call.params.generate:
        number = call.project.id
        limit_endpoint(call, "repository_health", MOST_AN_HOUR, period=3600, scope=str(number), project_id=number)
    health = examine(open_repository(call))
    return RepositoryHealth(
        size=health.size,
        references=health.references,
        objects=health.objects,
        commit_graph=health.commit_graph,
        bitmap=health.bitmap,
        multi_pack_index=health.multi_pack_index,
        multi_pack_index_bitmap=health.multi_pack_index_bitmap,
        alternates=Alternates(object_directories=health.alternates) if health.alternates else None,
        last_full_repack=Moment(seconds=health.last_full_repack) if health.last_full_repack is not None else None,
        updated_at=wire(now()),
    )
