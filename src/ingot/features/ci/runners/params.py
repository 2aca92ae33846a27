"""Parameters of the runner protocol and of the endpoints that manage runners."""

from typing import Any, ClassVar

from ingot.features.ci.engine import STATUSES
from ingot.features.ci.job_outputs import FORMATS
from ingot.kit.params import CursorPaging, Paging, Param, Params

TYPES = ("instance_type", "group_type", "project_type")
LEVELS = ("not_protected", "ref_protected")
RUNNER_STATUSES = ("online", "offline", "stale", "never_contacted", "active", "paused")
UPLOADED = tuple(name for name in FORMATS if name not in ("trace", "metadata"))


class RunnerFields(Params):
    """What can be set on a runner."""

    description: str | None = Param("What it is.", max_length=1024)
    maintenance_note: str | None = Param("Note for maintainers of the runner.", max_length=1024)
    paused: bool | None = Param("Takes no jobs.")
    active: bool | None = Param("The opposite of `paused`.")
    locked: bool | None = Param("Locked to its current projects.")
    run_untagged: bool | None = Param("Takes jobs without tags.")
    tag_list: list[str] = Param("Tags of the jobs that it takes.", comma=True)
    access_level: str | None = Param("`ref_protected`: only jobs of protected refs.", one_of=LEVELS)
    maximum_timeout: int | None = Param("Seconds that a job may run, at least 600.")
    exclusive: ClassVar[tuple[tuple[str, ...], ...]] = (("active", "paused"),)


class RegisterRunner(RunnerFields):
    """Registration with a registration token (legacy)."""

    token: str = Param("Registration token of the instance, a group or a project.", required=True)
    maintainer_note: str | None = Param("Older name of the note.")
    info: dict[str, Any] | None = Param("The runner's self-description.")


class CreateRunner(RunnerFields):
    """Registration by a user, with the user's own rights."""

    runner_type: str = Param("Type of the runner.", required=True, one_of=TYPES)
    group_id: int | None = Param("The group of a group runner.")
    project_id: int | None = Param("The project of a project runner.")


class ChangeRunner(RunnerFields):
    """One runner, changed."""

    id: int = Param("The runner's id.", required=True)
    at_least_one: ClassVar[tuple[str, ...]] = tuple(RunnerFields.fields)


class OneRunner(Params):
    """One runner."""

    id: int = Param("The runner's id.", required=True)


class RunnerToken(Params):
    """Authentication of a runner."""

    token: str | None = Param("The runner's token, unless the `RUNNER-TOKEN` header has it.")


class VerifyRunner(RunnerToken):
    """Verification of a runner's token."""

    system_id: str | None = Param("The machine that it runs on.")
    info: dict[str, Any] | None = Param("What it says about itself.")


class OneManager(RunnerToken):
    """One machine of a runner."""

    system_id: str = Param("The machine.", required=True)


class ListRunners(Paging):
    """Filters of all lists of runners."""

    scope: str | None = Param("Older filter.", one_of=("active", "paused", "online", "offline", "specific", "shared"))
    type: str | None = Param("Only runners of this type.", one_of=TYPES)
    status: str | None = Param("Only runners in this state.", one_of=RUNNER_STATUSES)
    paused: bool | None = Param("Only runners that are (or are not) paused.")
    tag_list: list[str] = Param("Only runners with all these tags.", comma=True)
    version_prefix: str | None = Param("Only runners of this version, such as `17.` or `17.5`.")


class RunnerJobs(OneRunner, CursorPaging):
    """The jobs of a runner."""

    system_id: str | None = Param("Only jobs of this machine.")
    status: str | None = Param("Only jobs in this state.", one_of=STATUSES)
    order_by: str | None = Param("Order.", one_of=("id",))
    sort: str = Param("Direction.", default="desc", one_of=("asc", "desc"))


class RunnerManagers(OneRunner, Paging):
    """The machines of a runner."""


class EnableRunner(Params):
    """A runner for a project."""

    runner_id: int = Param("The runner's id.", required=True)


class RequestJob(RunnerToken):
    """A runner asks for work."""

    system_id: str | None = Param("The machine that asks.")
    last_update: str | None = Param("The queue value of the last answer.")
    info: dict[str, Any] | None = Param("What the runner is and can do.")
    job_age: int | None = Param("Only jobs that have waited for more than so many seconds.")
    session: dict[str, Any] | None = Param("Where its terminal sessions are; not used.")


class JobOfRunner(Params):
    """One job, by its own token."""

    job_id: int = Param("The job's id.", required=True)
    token: str | None = Param("The job's token, instead of the `JOB-TOKEN` header.")


class AppendTrace(JobOfRunner):
    """More of a log."""

    debug_trace: bool = Param("The log shows secrets: only developers may read it.", default=False)


class Output(Params):
    """What the runner has sent of the log."""

    checksum: str | None = Param("`crc32:` and eight hexadecimal digits.")
    bytesize: int | None = Param("Bytes.")


class UpdateJob(JobOfRunner):
    """The state of a job."""

    state: str | None = Param("`running` keeps it alive; `success` and `failed` end it.")
    failure_reason: str | None = Param("Why it failed.")
    exit_code: int | None = Param("Of the script.")
    checksum: str | None = Param("Older place of the log's checksum.")
    output: Output | None = Param("What was sent of the log.")
    trace: str | None = Param("The whole log, as old runners send it with the last update.")
    info: dict[str, Any] | None = Param("What the runner is.")


class UploadArtifact(JobOfRunner):
    """What is uploaded; in the query, because the body is the file."""

    artifact_type: str = Param("What it is.", default="archive", one_of=UPLOADED)
    artifact_format: str = Param("How it is packed.", default="zip", one_of=("raw", "zip", "gzip"))
    expire_in: str | None = Param("How long to keep it, such as `1 week`, or `never`.")
    accessibility: str | None = Param("Who may download it.", one_of=("public", "private"))


class DownloadDependency(JobOfRunner):
    """The archive of an earlier job."""

    direct_download: bool = Param("The runner accepts a redirect to the object store.", default=False)
