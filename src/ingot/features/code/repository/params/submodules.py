"""Parameters of submodules."""

from ingot.features.code.repository.params.files import path_problem
from ingot.kit.params import Param, Params


class UpdateSubmodule(Params):
    """Where a submodule shall point to."""

    submodule: str = Param("URL-encoded path of the submodule.", required=True, blank=False, check=path_problem)
    branch: str = Param("Branch to commit to.", required=True, blank=False)
    commit_sha: str = Param("Full id of the commit.", required=True, blank=False)
    commit_message: str | None = Param("Message of the commit; names submodule and commit if absent.")
