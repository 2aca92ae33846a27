"""Parameters of a fork."""

from ingot.access.levels import VISIBILITY_WORDS
from ingot.kit.params import Param, Params


class ForkProject(Params):
    """Namespace, path and name of the fork."""

    namespace: str | None = Param("Id or path of the namespace (older name).")
    namespace_id: int | None = Param("Id of the namespace.")
    namespace_path: str | None = Param("Path of the namespace.")
    path: str | None = Param("Path of the fork.")
    name: str | None = Param("Name of the fork.")
    description: str | None = Param("Description of the fork.")
    visibility: str | None = Param("Visibility of the fork.", one_of=VISIBILITY_WORDS)
    mr_default_target_self: bool | None = Param("Requests target the fork itself by default.")
    branches: str | None = Param("Fork this branch alone.")
