"""From a request to a plan: loads the configuration, collects the variables, and compiles the file."""

from collections.abc import Sequence

from sqlalchemy import Connection

from ingot.access.rows import ProjectRow
from ingot.access.subjects import Project
from ingot.features.ci.config import PipelineEvent, PipelinePlan, compile_pipeline
from ingot.features.ci.engine import commits, facts
from ingot.features.ci.engine.commands.options import PipelineOptions
from ingot.features.ci.engine.errors import PipelineRefused
from ingot.features.ci.engine.parent_artifacts import artifact_reader
from ingot.features.ci.engine.ref_context import open_merge_requests, tag_message
from ingot.features.ci.engine.repository_files import RepositoryFiles
from ingot.features.ci.freeze_periods import is_frozen
from ingot.features.ci.variables import PipelineFacts, as_scope, configured_variables, layered, pipeline_variables
from ingot.features.instance.plan_limits import limit_of
from ingot.features.spaces.projects import project_settings, repository_of
from ingot.gitstore import Repository, revisions
from ingot.gitstore.diff import changed_paths
from ingot.gitstore.model import ZERO_ID
from ingot.gitstore.objects import get_commit, merge_base
from ingot.instance import application_setting
from ingot.kit.actor import Actor
from ingot.kit.clock import now
from ingot.kit.counters import next_value
from ingot.kit.services import Services

# Known only once the pipeline is stored: conditions cannot ask for them.
_PERSISTED = ("CI_PIPELINE_ID", "CI_PIPELINE_IID", "CI_PIPELINE_URL", "CI_PIPELINE_CREATED_AT")


def compile_options(
    services: Services, conn: Connection, actor: Actor, project: Project, options: PipelineOptions, is_protected: bool
) -> tuple[PipelinePlan, int]:
    """The jobs of the requested pipeline, and the number that it will have in its project.

    Raises `ConfigInvalid` or `PipelineNotCreated`, also for a missing file.
    """
    source = options.config or config_text(services, conn, actor, project, options.ref.sha)
    if source is None:
        raise PipelineRefused("Missing CI config file")
    # Names of environments and conditions may use the number, so it is taken before anything is stored.
    with services.db.write() as tx:
        iid = next_value(tx, f"project:{project.id}", "pipelines")
    return compile_pipeline(source, event_for(services, conn, actor, project, options, is_protected, iid)), iid


def event_for(
    services: Services,
    conn: Connection,
    actor: Actor,
    project: Project,
    options: PipelineOptions,
    is_protected: bool,
    iid: int | None = None,
    *,
    sees_variables: bool = True,
) -> PipelineEvent:
    """Everything that decides which jobs there are.

    Without `sees_variables` those of instance, groups and project are left out: for callers who may not run this
    pipeline.
    """
    repository = repository_of(services, project)
    outside = configured_variables(services, conn, project, is_protected=is_protected) if sees_variables else []
    variables = layered(outside, [variable.as_ci() for variable in options.variables])
    return PipelineEvent(
        ref=options.merge_request.source_branch if options.merge_request is not None else options.ref.name,
        source=options.source,
        is_tag=options.ref.is_tag,
        is_merge_request=options.merge_request is not None,
        project_path=project.full_path,
        predefined=_predefined(services, conn, actor, project, options, is_protected, names_requests=sees_variables)
        | ({} if iid is None else {"CI_PIPELINE_IID": str(iid)}),
        variables=as_scope(variables),
        masked=frozenset(variable.key for variable in variables if variable.masked),
        files=RepositoryFiles(services, conn, actor, repository, options.ref.sha),
        changed_paths=_Changes(repository, options),
        read_artifact=artifact_reader(services, conn, options.upstream.pipeline.id if options.upstream else None),
        inputs=options.inputs,
        needs_limit=limit_of(conn, "ci_needs_size_limit"),
    )


def config_path(conn: Connection, project: ProjectRow) -> str:
    """Where the project keeps its file."""
    own = project_settings(project).ci_config_path
    return own or application_setting(conn, "default_ci_config_path") or facts.DEFAULT_CONFIG_PATH


def config_text(services: Services, conn: Connection, actor: Actor, project: Project, sha: str) -> str | None:
    """The project's file at this commit; `file@group/project:ref` names a file of another project.

    A file whose project the actor may not read is absent, as with `include:project`.
    """
    own = RepositoryFiles(services, conn, actor, repository_of(services, project), sha)
    path, at, elsewhere = config_path(conn, project).partition("@")
    if not at:
        return own.read(path)
    full_path, _, ref = elsewhere.partition(":")
    files = own.project(full_path, ref or None)
    return None if files is None else files.read(path)


def _predefined(
    services: Services,
    conn: Connection,
    actor: Actor,
    project: Project,
    options: PipelineOptions,
    is_protected: bool,
    *,
    names_requests: bool,
) -> dict[str, str]:
    url = facts.base_url(services)
    repository = repository_of(services, project)
    record = commits.record_of(get_commit(repository, options.ref.sha))
    # The targets of open requests may be projects that a reader cannot see.
    is_branch = names_requests and not options.ref.is_tag and options.merge_request is None
    pipeline = PipelineFacts(
        id=0,
        iid=0,
        source=options.source,
        url="",
        created_at="",
        ref=options.ref.name,
        is_tag=options.ref.is_tag,
        is_protected=is_protected,
        commit=commits.commit_facts(record, options.ref.sha, options.before_sha),
        schedule_description=options.schedule_description,
        trigger_short_token=options.trigger_short_token,
        merge_request=options.merge_request,
        tag_message=tag_message(repository, options.ref.name) if options.ref.is_tag else None,
        open_merge_requests=open_merge_requests(conn, project.id, options.ref.name) if is_branch else (),
        is_frozen=is_frozen(conn, project.id, now()),
    )
    user = facts.user_facts(conn, actor.user_id)
    result = pipeline_variables(facts.server_facts(url), facts.project_facts(project, url), pipeline, user)
    return {variable.key: variable.value for variable in result if variable.key not in _PERSISTED}


class _Changes:
    """Paths that a pipeline's commits changed, for `changes`; asked at most once per comparison."""

    def __init__(self, repository: Repository, options: PipelineOptions) -> None:
        self._repository = repository
        self._options = options
        self._known: dict[str | None, Sequence[str] | None] = {}

    def __call__(self, compare_to: str | None) -> Sequence[str] | None:
        if compare_to not in self._known:
            self._known[compare_to] = self._find(compare_to)
        return self._known[compare_to]

    def _find(self, compare_to: str | None) -> Sequence[str] | None:
        sha = self._options.ref.sha
        if compare_to is not None:
            other = revisions.find(self._repository, compare_to)
            base = None if other is None else merge_base(self._repository, other, sha)
        elif self._options.merge_request is not None:
            base = self._options.merge_request.diff_base_sha or None
        else:
            base = self._options.before_sha if self._options.before_sha != ZERO_ID else None
        if base is None or not revisions.has_object(self._repository, base):
            return None
        changes = changed_paths(self._repository, base, sha)
        return sorted({path for change in changes for path in (change.old_path, change.new_path)})
