"""Parameters of the status check endpoints."""

from ingot.features.review.merge_requests import OneMergeRequest
from ingot.kit.params import CursorPaging, Paging, Param, Params

STATUSES = ("pending", "passed", "failed")


class ListChecks(CursorPaging):
    """A page of status checks."""


class CheckPath(Params):
    """One status check."""

    check_id: int = Param("The check's id.", required=True)


class CreateCheck(Params):
    """A new status check."""

    name: str = Param("Its name.", required=True)
    external_url: str = Param("Where merge requests are sent to.", required=True)
    shared_secret: str | None = Param("With it messages are signed.", max_length=255)
    protected_branch_ids: list[int] = Param("Only requests for these protected branches.", comma=True)


class UpdateCheck(CheckPath):
    """Changes of a status check."""

    name: str | None = Param("Its name.")
    external_url: str | None = Param("Where merge requests are sent to.")
    shared_secret: str | None = Param("With it messages are signed; empty for no signature.", max_length=255)
    protected_branch_ids: list[int] = Param("Only requests for these protected branches.", comma=True)


class ListStatuses(OneMergeRequest, Paging):
    """The checks of a merge request."""


class RespondToCheck(OneMergeRequest):
    """What a service says about a merge request."""

    sha: str = Param("The head of the source branch that it looked at.", required=True)
    external_status_check_id: int = Param("The check.", required=True)
    status: str = Param("What it says.", required=True, one_of=STATUSES)


class RetryCheck(OneMergeRequest):
    """A check that failed."""

    external_status_check_id: int = Param("The check.", required=True)
