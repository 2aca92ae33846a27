"""Parameters of the feature flag endpoints."""

from ingot.kit.params import Param, Params


class SetFlag(Params):
    """The new state of a flag."""

    value: str = Param("`true`, `false`, or a percentage.", required=True)
    key: str | None = Param("What a percentage counts.", one_of=("percentage_of_actors", "percentage_of_time"))
    feature_group: str | None = Param("A named group of actors.")
    user: str | None = Param("Usernames, separated by commas.")
    group: str | None = Param("Group paths, separated by commas.")
    namespace: str | None = Param("Paths of groups or personal namespaces, separated by commas.")
    project: str | None = Param("Project paths, separated by commas.")
    repository: str | None = Param("Project paths, separated by commas.")
    force: bool = Param("Also set a flag that the code does not know.", default=False)
    exclusive = (
        ("key", "feature_group"),
        ("key", "user"),
        ("key", "group"),
        ("key", "namespace"),
        ("key", "project"),
        ("key", "repository"),
    )
