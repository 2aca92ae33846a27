"""Parameters of the namespace endpoints."""

from ingot.kit.params import Paging, Param, Params


class ListNamespaces(Paging):
    """Filters of the list."""

    search: str | None = Param("Part of the name or path.")
    owned_only: bool = Param("Only namespaces that the caller owns.", default=False)
    top_level_only: bool = Param("Only namespaces without a parent.", default=False)
    full_path_search: bool = Param("Search in the full path too.", default=False)


class NamespaceExists(Params):
    """The path to check."""

    id: str = Param("The path to look for.", required=True)
    parent_id: int | None = Param("Look below this namespace; absent: at the top.")
