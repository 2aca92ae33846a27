"""Parameters of environments and deployments."""

from datetime import datetime
from typing import ClassVar

from ingot.kit.params import Paging, Param, Params

TIERS = ("production", "staging", "testing", "development", "other")
STATES = ("available", "stopping", "stopped")
STATUSES = ("created", "running", "success", "failed", "canceled", "skipped", "blocked")
CALLER_STATUSES = ("running", "success", "failed", "canceled")


class EnvironmentPath(Params):
    """One environment."""

    environment_id: int = Param("The environment's id.", required=True)


class ListEnvironments(Paging):
    """Filters of environments."""

    name: str | None = Param("Only the one of this name.")
    search: str | None = Param("Only those whose name contains this; at least three characters.")
    states: str | None = Param("Only those in this state.", one_of=STATES)
    exclusive: ClassVar[tuple[tuple[str, ...], ...]] = (("name", "search"),)


class CreateEnvironment(Params):
    """A new environment."""

    name: str = Param("Its name.", required=True)
    description: str | None = Param("What it is.")
    external_url: str | None = Param("Its address.")
    tier: str | None = Param("Its tier; guessed from the name if absent.", one_of=TIERS)
    auto_stop_setting: str = Param(
        "When it is stopped automatically.", default="always", one_of=("always", "with_action")
    )


class UpdateEnvironment(EnvironmentPath):
    """Changes of an environment; the name cannot be changed."""

    description: str | None = Param("What it is.")
    external_url: str | None = Param("Its address.")
    tier: str | None = Param("Its tier.", one_of=TIERS)
    auto_stop_setting: str | None = Param("When it is stopped automatically.", one_of=("always", "with_action"))


class StopEnvironment(EnvironmentPath):
    """Stopping an environment."""

    force: bool = Param("Without running the job that stops it.", default=False)


class StopStale(Params):
    """Which environments count as stale."""

    before: datetime = Param("Neither edited nor deployed to since; between ten years and one week ago.", required=True)


class DeleteReviewApps(Params):
    """Which stopped review apps are deleted."""

    before: datetime | None = Param("Created before this time; 30 days ago if absent.")
    limit: int = Param("How many at most, up to 1000.", default=100)
    dry_run: bool = Param("Only list them; nothing is deleted.", default=True)


class DeploymentPath(Params):
    """One deployment."""

    deployment_id: int = Param("The deployment's id.", required=True)


class ListDeployments(Paging):
    """Filters and order of deployments."""

    order_by: str = Param(
        "Order.", default="id", one_of=("id", "iid", "created_at", "updated_at", "finished_at", "ref")
    )
    sort: str = Param("Direction.", default="asc", one_of=("asc", "desc"))
    updated_after: datetime | None = Param("Only those updated after this time.")
    updated_before: datetime | None = Param("Only those updated before this time.")
    finished_after: datetime | None = Param("Only those finished after this time; with `status=success`.")
    finished_before: datetime | None = Param("Only those finished before this time; with `status=success`.")
    environment: str | None = Param("Only those of the environment of this name.")
    status: str | None = Param("Only those with this status.", one_of=STATUSES)


class CreateDeployment(Params):
    """A deployment by an external tool."""

    environment: str = Param("Name of the environment.", required=True)
    sha: str = Param("The commit.", required=True)
    ref: str = Param("The branch or tag.", required=True)
    tag: bool = Param("It is a tag.", required=True)
    status: str = Param("The status.", required=True, one_of=CALLER_STATUSES)


class UpdateDeployment(DeploymentPath):
    """The new status of a deployment."""

    status: str = Param("The status.", required=True, one_of=CALLER_STATUSES)


class DeploymentMergeRequests(Paging, DeploymentPath):
    """Merge requests that came with a deployment."""


class ApproveDeployment(DeploymentPath):
    """An approval of a deployment, or its rejection."""

    status: str = Param("Whether it may go on.", required=True, one_of=("approved", "rejected"))
    comment: str | None = Param("Why.", max_length=1024)
    represented_as: str | None = Param("For which rule: the name of its user, group or role.")
