"""Parameters of trees, comparisons, archives and contributors."""

from ingot.features.code.repository.params.files import path_problem
from ingot.kit.params import Paging, Param, Params


class ListTree(Paging):
    """Which folder of which revision."""

    ref: str | None = Param("Branch, tag or commit; the default branch when absent.")
    path: str | None = Param("Folder inside the repository.")
    recursive: bool = Param("Include everything below.", default=False)
    pagination: str = Param("Kind of pagination.", default="legacy", one_of=("legacy", "keyset", "none"))
    page_token: str | None = Param("Where the next keyset page starts; taken from the `Link` header.")


class Compare(Params):
    """What is compared with what."""

    from_: str = Param("Commit, branch or tag to start from.", wire="from", required=True, blank=False)
    to: str = Param("Commit, branch or tag to end at.", required=True, blank=False)
    from_project_id: int | None = Param("Project of `from`, of the same family of forks.")
    straight: bool = Param("Compare directly instead of since the merge base.", default=False)
    unidiff: bool = Param("Diffs with file headers.", default=False)


class MergeBase(Params):
    """Commits whose common ancestor is looked for."""

    refs: list[str] = Param("Two or more commits, branches or tags.", required=True, comma=True)


class Archive(Params):
    """What goes into the archive."""

    sha: str | None = Param("Commit, branch or tag; the default branch when absent.")
    path: str | None = Param("Only this folder or file.", check=path_problem)
    exclude_paths: list[str] = Param("Paths to leave out.", comma=True)
    include_lfs_blobs: bool = Param("Include the objects behind LFS pointers.", default=True)


class ListContributors(Paging):
    """Whose contributions, in which order."""

    ref: str | None = Param("Branch, tag or commit; the default branch when absent.")
    order_by: str = Param("Order.", default="commits", one_of=("email", "name", "commits"))
    sort: str = Param("Direction.", default="asc", one_of=("asc", "desc"))
