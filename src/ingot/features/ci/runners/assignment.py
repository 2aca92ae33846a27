"""Everything a runner needs to run one job, read from rows and git and written in the form of the protocol."""

import hashlib
from datetime import datetime

import msgspec
from sqlalchemy import Connection, select

from ingot.access.call import Call
from ingot.access.rows import ProjectRow
from ingot.access.tables import namespace_ancestors, projects
from ingot.features.ci.config import PlannedJob, PlannedVariable, expand_scope
from ingot.features.ci.engine import (
    JobRow,
    PipelineRow,
    actor_by_id,
    ci_jobs,
    commit_facts,
    environment_facts,
    given_to_pipeline,
    has_own_ref,
    pin,
    pipelines,
    project_facts,
    read_commit,
    remember_url,
    server_facts,
    user_facts,
)
from ingot.features.ci.freeze_periods import is_frozen
from ingot.features.ci.pipelines import merge_request_facts
from ingot.features.ci.runners.dependencies import as_sent, dependencies_of
from ingot.features.ci.runners.id_tokens import TokenFacts, id_token_variables
from ingot.features.ci.runners.job_facts import Assignment, GitFacts, QueueFacts
from ingot.features.ci.runners.job_payload import job_response
from ingot.features.ci.runners.matching import running_on_instance_runners
from ingot.features.ci.runners.pipeline_context import pipeline_context
from ingot.features.ci.runners.response import JobResponse
from ingot.features.ci.runners.rows import RunnerRow
from ingot.features.ci.variables import (
    CiVariable,
    EnvironmentFacts,
    GivenVariable,
    JobFacts,
    PipelineFacts,
    RunnerFacts,
    as_scope,
    configured_variables,
    from_dotenv,
    from_plan,
    job_variables,
    layered,
    pipeline_variables,
)
from ingot.features.spaces.deploy_tokens import ci_deploy_token
from ingot.features.spaces.projects import project_settings, repository_of
from ingot.gitstore import GitError
from ingot.gitstore.objects import find_entry
from ingot.instance import instance_uuid
from ingot.kit.clock import now
from ingot.kit.sealing import unseal


def describe_job(call: Call, runner: RunnerRow, job: JobRow, plan: PlannedJob, token: str, size: int) -> JobResponse:
    """The whole answer for a job that this runner takes. Raises `MissingDependency`."""
    conn = call.conn
    project = conn.execute(select(projects).where(projects.c.id == job.project_id)).one()
    pipeline = conn.execute(select(pipelines).where(pipelines.c.id == job.pipeline_id)).one()
    settings = project_settings(project)
    timeout = _timeout(job, runner)
    repo_url = _repo_url(call.base_url, project.full_path, token)
    predefined = _predefined(call, runner, job, plan, token, project, pipeline)
    known = [*predefined, *from_plan(msgspec.convert(pipeline.variables, list[PlannedVariable]))]
    outside = _outside(call, project, job, plan)
    given = _given(call, job)
    scope = expand_scope(as_scope(layered(known, from_plan(plan.variables), outside, given)))
    before = dependencies_of(conn, job, plan, scope)
    dotenv = from_dotenv({key: value for row in before for key, value in (row.dotenv or {}).items()})
    variables = layered(known, from_plan(plan.variables), dotenv, outside, given)
    if plan.environment is not None:
        with call.write() as tx:
            remember_url(tx, job.id, plan.environment, expand_scope(as_scope(variables)))
    if plan.id_tokens:
        token_facts = TokenFacts(runner=runner, job=job, plan=plan, pipeline=pipeline, project=project, timeout=timeout)
        variables = layered(variables, id_token_variables(call, token_facts, predefined, as_scope(variables)))
    is_instance = runner.runner_type == "instance_type"
    pinned = pin(call.services, project, pipeline)
    return job_response(
        Assignment(
            job_id=job.id,
            token=token,
            plan=plan,
            pipeline_id=pipeline.id,
            project_id=project.id,
            project_name=project.path,
            project_full_path=project.full_path,
            namespace_id=project.namespace_id,
            root_namespace_id=_root(conn, project.namespace_id),
            user_id=job.user_id,
            instance_uuid=instance_uuid(call.services.db, conn),
            runner_id=runner.id,
            timeout=timeout,
            git=GitFacts(
                repo_url=repo_url,
                ref=pipeline.ref,
                sha=pipeline.sha,
                before_sha=pipeline.before_sha,
                is_tag=pipeline.is_tag,
                is_protected=pipeline.is_protected,
                default_depth=settings.ci_default_git_depth or 0,
                extra_refs=(pinned,) if pinned is not None else (),
                ref_exists=has_own_ref(call.services, project, pipeline),
            ),
            variables=variables,
            dependencies=as_sent(conn, before),
            queue=QueueFacts(
                seconds=max(0.0, (now() - job.queued_at).total_seconds()) if job.queued_at is not None else 0.0,
                running_on_instance_runners=running_on_instance_runners(conn, project.id) if is_instance else None,
                size=size,
            ),
            reuses_clone=settings.build_git_strategy == "fetch",
            separate_caches=settings.ci_separated_caches,
            file_digests=_file_digests(call, project, pipeline.sha, plan),
        )
    )


def _timeout(job: JobRow, runner: RunnerRow) -> int:
    limits = [limit for limit in (job.timeout, runner.maximum_timeout) if limit]
    return min(limits, default=3600)


def _repo_url(base_url: str, full_path: str, token: str) -> str:
    scheme, _, rest = base_url.partition("://")
    return f"{scheme}://gitlab-ci-token:{token}@{rest}/{full_path}.git"


def _predefined(
    call: Call, runner: RunnerRow, job: JobRow, plan: PlannedJob, token: str, project: ProjectRow, pipeline: PipelineRow
) -> list[CiVariable]:
    conn, url = call.conn, call.base_url
    actor = actor_by_id(conn, job.user_id)
    request = (
        merge_request_facts(call.services, conn, actor, pipeline.merge_request_id)
        if pipeline.merge_request_id is not None
        else None
    )
    project_url = f"{url}/{project.full_path}"
    of_pipeline = pipeline_variables(
        server_facts(url),
        project_facts(project, url),
        PipelineFacts(
            id=pipeline.id,
            iid=pipeline.iid,
            source=pipeline.source,
            url=f"{project_url}/-/pipelines/{pipeline.id}",
            created_at=_moment(pipeline.created_at),
            ref=pipeline.ref,
            is_tag=pipeline.is_tag,
            is_protected=pipeline.is_protected,
            commit=commit_facts(read_commit(pipeline.commit), pipeline.sha, pipeline.before_sha),
            name=pipeline.name,
            merge_request=request,
            is_frozen=is_frozen(conn, project.id, pipeline.created_at),
            **pipeline_context(call.services, conn, pipeline, repository_of(call.services, project)),
        ),
        user_facts(conn, job.user_id),
    )
    of_job = job_variables(
        JobFacts(
            id=job.id,
            name=job.name,
            group_name=plan.group_name,
            stage=job.stage,
            url=f"{project_url}/-/jobs/{job.id}",
            token=token,
            repository_url=_repo_url(url, project.full_path, token),
            timeout=_timeout(job, runner),
            started_at=_moment(now()),
            is_manual=job.when == "manual",
            image=plan.image.name if plan.image is not None else None,
            parallel_index=plan.parallel_index,
            parallel_total=plan.parallel_total,
            environment=_environment(call, job, plan),
        ),
        RunnerFacts(id=runner.id, description=runner.description or "", tags=tuple(runner.tag_list)),
    )
    return [*of_pipeline, *of_job, *_deploy_token(call, project)]


def _deploy_token(call: Call, project: ProjectRow) -> list[CiVariable]:
    token = ci_deploy_token(call.conn, call.services, project)
    if token is None:
        return []
    name, clear = token
    return [
        CiVariable("CI_DEPLOY_USER", name),
        CiVariable("CI_DEPLOY_PASSWORD", clear, public=False, masked=True),
    ]


def _environment(call: Call, job: JobRow, plan: PlannedJob) -> EnvironmentFacts | None:
    if plan.environment is None:
        return None
    with call.write() as tx:
        return environment_facts(tx, job.project_id, plan.environment)


def _moment(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _outside(call: Call, project: ProjectRow, job: JobRow, plan: PlannedJob) -> list[CiVariable]:
    return configured_variables(
        call.services,
        call.conn,
        project,
        is_protected=job.is_protected,
        environment=plan.environment.name if plan.environment is not None else None,
    )


def _given(call: Call, job: JobRow) -> list[CiVariable]:
    """The variables of the pipeline, then those of this run of the job."""
    result = [variable.as_ci() for variable in given_to_pipeline(call.services, call.conn, job.pipeline_id)]
    sealed = call.conn.execute(select(ci_jobs.c.own_variables).where(ci_jobs.c.id == job.id)).scalar_one_or_none()
    if sealed is not None:
        own = msgspec.json.decode(unseal(call.services, sealed), type=list[GivenVariable])
        result += [variable.as_ci() for variable in own]
    return result


def _root(conn: Connection, namespace_id: int) -> int:
    above = namespace_ancestors
    value = conn.execute(
        select(above.c.ancestor_id).where(above.c.namespace_id == namespace_id).order_by(above.c.depth.desc()).limit(1)
    ).scalar_one_or_none()
    return int(value or namespace_id)


def _file_digests(call: Call, project: ProjectRow, sha: str, plan: PlannedJob) -> dict[tuple[str, ...], str]:
    """Digests of the files that determine cache keys."""
    key_files = {cache.key_files for cache in plan.caches if cache.key_files}
    if not key_files:
        return {}
    repository = repository_of(call.services, project)
    result = {}
    for paths in key_files:
        digest = hashlib.sha1(usedforsecurity=False)
        known = False
        for path in paths:
            try:
                entry = find_entry(repository, sha, path)
            except GitError:
                entry = None
            if entry is not None and entry.type == "blob":
                known = True
                digest.update(f"{path}\0{entry.id}".encode())
        if known:
            result[paths] = digest.hexdigest()
    return result
