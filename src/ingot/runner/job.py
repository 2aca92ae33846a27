"""A job as the server describes it: what this runner reads of it."""

import msgspec


class Variable(msgspec.Struct, frozen=True):
    """A variable of the job's scripts; a file's value is written out, a raw one is not expanded."""

    key: str
    value: str
    file: bool = False
    raw: bool = False
    masked: bool = False


class Step(msgspec.Struct, frozen=True):
    """Script lines that run together: `script`, `after_script` and others."""

    name: str
    script: list[str]
    allow_failure: bool = False


class Hook(msgspec.Struct, frozen=True):
    """Script lines that run before the sources are fetched."""

    script: list[str]


class Artifact(msgspec.Struct, frozen=True):
    """Files to upload, and when."""

    artifact_type: str
    artifact_format: str
    name: str | None = None
    paths: list[str] | None = None
    exclude: list[str] | None = None
    untracked: bool = False
    when: str | None = None
    expire_in: str | None = None


class ArtifactsFile(msgspec.Struct, frozen=True):
    """The archive of an earlier job."""

    filename: str


class Dependency(msgspec.Struct, frozen=True):
    """An earlier job whose archive is unpacked into the project's folder."""

    id: int
    name: str
    token: str
    artifacts_file: ArtifactsFile | None = None


class GitInfo(msgspec.Struct, frozen=True):
    """What to fetch and to check out."""

    repo_url: str
    ref: str
    sha: str
    refspecs: list[str]
    depth: int | None = None


class JobInfo(msgspec.Struct, frozen=True):
    """How people find the job."""

    name: str
    project_id: int
    project_name: str
    project_full_path: str | None = None


class RunnerInfo(msgspec.Struct, frozen=True):
    """Limits of the run."""

    timeout: float


class Job(msgspec.Struct, frozen=True):
    """One job; fields that this runner has no use for are ignored."""

    id: int
    token: str
    job_info: JobInfo
    git_info: GitInfo
    runner_info: RunnerInfo
    variables: list[Variable]
    steps: list[Step]
    hooks: list[Hook] | None = None
    artifacts: list[Artifact] | None = None
    dependencies: list[Dependency] | None = None
    cache: list[msgspec.Raw] | None = None

    @property
    def title(self) -> str:
        """What people need to find the job: its name and its address."""
        address = next((variable.value for variable in self.variables if variable.key == "CI_JOB_URL"), "")
        project = self.job_info.project_full_path or self.job_info.project_name
        return f"Job {self.id} ({self.job_info.name} of {project}) {address}".rstrip()

    @property
    def secrets(self) -> list[str]:
        """What must not be seen in the log."""
        masked = [variable.value for variable in self.variables if variable.masked]
        return [line for value in (self.token, *masked) for line in value.splitlines()]
