"""Parameters of commit statuses."""

from ingot.kit.params import Paging, Param, Params

STATES = ("pending", "running", "success", "failed", "canceled", "skipped")


class SetStatus(Params):
    """What another CI reports about a commit."""

    sha: str = Param("The commit.", required=True)
    state: str = Param("The state.", required=True, one_of=STATES)
    ref: str | None = Param("The branch or tag.")
    name: str | None = Param("Label that distinguishes this status from others; `default` if absent.")
    context: str | None = Param("The same as `name`.")
    target_url: str | None = Param("Address with more details.")
    description: str | None = Param("A short sentence.")
    coverage: float | None = Param("Total code coverage.")
    pipeline_id: int | None = Param("The pipeline that it belongs to.")


class ListStatuses(Paging):
    """Filters of a commit's statuses."""

    sha: str = Param("The commit.", required=True)
    ref: str | None = Param("Only those of this branch or tag.")
    stage: str | None = Param("Only those of this stage.")
    name: str | None = Param("Only those of this name.")
    pipeline_id: int | None = Param("Only those of this pipeline.")
    all: bool = Param("Earlier attempts too.", default=False)
    order_by: str = Param("Order.", default="id", one_of=("id", "pipeline_id"))
    sort: str = Param("Direction.", default="asc", one_of=("asc", "desc"))
