"""Parameters of the artifact endpoints."""

from ingot.kit.params import Paging, Param, Params


class JobTokenParam(Params):
    """Every download accepts a job token."""

    job_token: str | None = Param("Token of a running job, instead of the `JOB-TOKEN` header.")


class JobArtifacts(JobTokenParam):
    """The artifacts of one job."""

    job_id: int = Param("The job's id.", required=True)


class JobFile(JobArtifacts):
    """One file of a job's archive."""

    artifact_path: str = Param("The file's path inside the archive.", required=True)


class JobTree(JobArtifacts, Paging):
    """A folder of a job's archive."""

    path: str | None = Param("The folder; the root by default.")
    recursive: bool = Param("Everything below it too.", default=False)


class ByRef(JobTokenParam):
    """The archive of the latest successful pipeline of a ref."""

    ref_name: str = Param("Branch or tag; slashes as they are or encoded. Not HEAD, not a commit.", required=True)
    job: str = Param("The job's name.", required=True)
    search_recent_successful_pipelines: bool = Param(
        "Look through the last successful pipelines of the ref, not only the newest.", default=False
    )


class FileByRef(ByRef):
    """One file of that archive."""

    artifact_path: str = Param("The file's path inside the archive.", required=True)


class BySlashedRef(JobTokenParam):
    """Either of the two, for refs with slashes in the path."""

    job: str = Param("The job's name.", required=True)
    search_recent_successful_pipelines: bool = Param("As for other refs.", default=False)


class OneJob(Params):
    """One job."""

    job_id: int = Param("The job's id.", required=True)
