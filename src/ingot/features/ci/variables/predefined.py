"""The CI_* variables: facts about server, project, pipeline, commit, merge request, job and runner."""

from __future__ import annotations

from urllib.parse import urlsplit

import msgspec

from ingot.features.ci.variables.facts import (
    EnvironmentFacts,
    JobFacts,
    MergeRequestFacts,
    PipelineFacts,
    ProjectFacts,
    RunnerFacts,
    ServerFacts,
    UserFacts,
)
from ingot.features.ci.variables.layers import CiVariable
from ingot.kit.slugs import environment_slug, ref_slug


def pipeline_variables(
    server: ServerFacts, project: ProjectFacts, pipeline: PipelineFacts, user: UserFacts | None
) -> list[CiVariable]:
    """The variables known before any job exists, which rules may use."""
    result = _server(server) | _project(server, project) | _pipeline(pipeline) | _commit(pipeline)
    if pipeline.merge_request is not None:
        result |= _merge_request(pipeline.merge_request)
    if user is not None:
        result |= {
            "GITLAB_USER_ID": str(user.id),
            "GITLAB_USER_LOGIN": user.username,
            "GITLAB_USER_NAME": user.name,
            "GITLAB_USER_EMAIL": user.email,
        }
    return [CiVariable(key, value) for key, value in result.items()]


def job_variables(job: JobFacts, runner: RunnerFacts | None = None) -> list[CiVariable]:
    """The variables of one job and its runner."""
    result = {
        "CI_JOB_ID": str(job.id),
        "CI_JOB_NAME": job.name,
        "CI_JOB_NAME_SLUG": ref_slug(job.name),
        "CI_JOB_GROUP_NAME": job.group_name,
        "CI_JOB_STAGE": job.stage,
        "CI_JOB_URL": job.url,
        "CI_JOB_TIMEOUT": str(job.timeout),
        "CI_NODE_TOTAL": str(job.parallel_total or 1),
    }
    if job.parallel_index is not None:
        result["CI_NODE_INDEX"] = str(job.parallel_index)
    if job.started_at is not None:
        result["CI_JOB_STARTED_AT"] = job.started_at
    if job.is_manual:
        result["CI_JOB_MANUAL"] = "true"
    if job.image is not None:
        result["CI_JOB_IMAGE"] = job.image
    if job.environment is not None:
        result |= _environment(job.environment)
    if runner is not None:
        result |= {
            "CI_RUNNER_ID": str(runner.id),
            "CI_RUNNER_DESCRIPTION": runner.description,
            "CI_RUNNER_TAGS": msgspec.json.encode(runner.tags).decode(),
        }
    secret = [
        CiVariable("CI_JOB_TOKEN", job.token, public=False, masked=True),
        CiVariable("CI_REPOSITORY_URL", job.repository_url, public=False),
        CiVariable("CI_REGISTRY_USER", "gitlab-ci-token"),
        CiVariable("CI_REGISTRY_PASSWORD", job.token, public=False, masked=True),
    ]
    return [*(CiVariable(key, value) for key, value in result.items()), *secret]


def _server(server: ServerFacts) -> dict[str, str]:
    parts = urlsplit(server.url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    major, minor, patch = (*server.version.split("-")[0].split("."), "0", "0", "0")[:3]
    return {
        "CI": "true",
        "GITLAB_CI": "true",
        "CI_SERVER": "yes",
        "CI_SERVER_URL": server.url,
        "CI_SERVER_HOST": parts.hostname or "",
        "CI_SERVER_PORT": str(port),
        "CI_SERVER_PROTOCOL": parts.scheme,
        "CI_SERVER_FQDN": parts.netloc.rpartition("@")[2],
        "CI_SERVER_NAME": server.name,
        "CI_SERVER_VERSION": server.version,
        "CI_SERVER_VERSION_MAJOR": major,
        "CI_SERVER_VERSION_MINOR": minor,
        "CI_SERVER_VERSION_PATCH": patch,
        "CI_SERVER_REVISION": server.revision,
        "CI_API_V4_URL": f"{server.url}/api/v4",
    }


def _project(server: ServerFacts, project: ProjectFacts) -> dict[str, str]:
    return {
        "CI_PROJECT_ID": str(project.id),
        "CI_PROJECT_NAME": project.path,
        "CI_PROJECT_TITLE": project.title,
        "CI_PROJECT_DESCRIPTION": project.description,
        "CI_PROJECT_PATH": project.full_path,
        "CI_PROJECT_PATH_SLUG": ref_slug(project.full_path),
        "CI_PROJECT_NAMESPACE": project.namespace,
        "CI_PROJECT_NAMESPACE_ID": str(project.namespace_id),
        "CI_PROJECT_NAMESPACE_SLUG": ref_slug(project.namespace),
        "CI_PROJECT_ROOT_NAMESPACE": project.full_path.partition("/")[0],
        "CI_PROJECT_URL": project.url,
        "CI_PROJECT_VISIBILITY": project.visibility,
        "CI_DEFAULT_BRANCH": project.default_branch or "",
        "CI_DEFAULT_BRANCH_SLUG": ref_slug(project.default_branch or ""),
        "CI_CONFIG_PATH": project.config_path,
        "CI_DEPENDENCY_PROXY_SERVER": urlsplit(server.url).netloc.rpartition("@")[2],
    }


def _pipeline(pipeline: PipelineFacts) -> dict[str, str]:
    result = {
        "CI_PIPELINE_ID": str(pipeline.id),
        "CI_PIPELINE_IID": str(pipeline.iid),
        "CI_PIPELINE_SOURCE": pipeline.source,
        "CI_PIPELINE_URL": pipeline.url,
        "CI_PIPELINE_CREATED_AT": pipeline.created_at,
    }
    if pipeline.name is not None:
        result["CI_PIPELINE_NAME"] = pipeline.name
    if pipeline.source in ("trigger", "pipeline"):
        result["CI_PIPELINE_TRIGGERED"] = "true"
    if pipeline.trigger_short_token is not None:
        result["CI_TRIGGER_SHORT_TOKEN"] = pipeline.trigger_short_token
    if pipeline.schedule_description is not None:
        result["CI_PIPELINE_SCHEDULE_DESCRIPTION"] = pipeline.schedule_description
    if pipeline.is_frozen:
        result["CI_DEPLOY_FREEZE"] = "true"
    if pipeline.open_merge_requests:
        result["CI_OPEN_MERGE_REQUESTS"] = ",".join(pipeline.open_merge_requests)
    return result


def _commit(pipeline: PipelineFacts) -> dict[str, str]:
    commit = pipeline.commit
    title, _, rest = commit.message.strip().partition("\n")
    name = pipeline.merge_request.source_branch if pipeline.merge_request else pipeline.ref
    result = {
        "CI_COMMIT_SHA": commit.sha,
        "CI_COMMIT_SHORT_SHA": commit.sha[:8],
        "CI_COMMIT_BEFORE_SHA": commit.before_sha,
        "CI_COMMIT_REF_NAME": name,
        "CI_COMMIT_REF_SLUG": ref_slug(name),
        "CI_COMMIT_REF_PROTECTED": "true" if pipeline.is_protected else "false",
        "CI_COMMIT_MESSAGE": commit.message,
        "CI_COMMIT_TITLE": title,
        "CI_COMMIT_DESCRIPTION": rest.strip(),
        "CI_COMMIT_TIMESTAMP": commit.timestamp,
        "CI_COMMIT_AUTHOR": commit.author,
    }
    if pipeline.is_tag:
        result |= {"CI_COMMIT_TAG": pipeline.ref, "CI_COMMIT_TAG_MESSAGE": pipeline.tag_message or ""}
    elif pipeline.merge_request is None:
        result["CI_COMMIT_BRANCH"] = pipeline.ref
    return result


def _merge_request(request: MergeRequestFacts) -> dict[str, str]:
    result = {
        "CI_MERGE_REQUEST_ID": str(request.id),
        "CI_MERGE_REQUEST_IID": str(request.iid),
        "CI_MERGE_REQUEST_REF_PATH": f"refs/merge-requests/{request.iid}/head",
        "CI_MERGE_REQUEST_EVENT_TYPE": request.event_type,
        "CI_MERGE_REQUEST_TITLE": request.title,
        "CI_MERGE_REQUEST_DESCRIPTION": request.description[:2700],
        "CI_MERGE_REQUEST_DESCRIPTION_IS_TRUNCATED": "true" if len(request.description) > 2700 else "false",
        "CI_MERGE_REQUEST_DRAFT": "true" if request.is_draft else "false",
        "CI_MERGE_REQUEST_SQUASH_ON_MERGE": "true" if request.is_squashed else "false",
        "CI_MERGE_REQUEST_DIFF_ID": str(request.diff_id),
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": request.diff_base_sha,
        "CI_MERGE_REQUEST_PROJECT_ID": str(request.target_project.id),
        "CI_MERGE_REQUEST_PROJECT_PATH": request.target_project.full_path,
        "CI_MERGE_REQUEST_PROJECT_URL": request.target_project.url,
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": request.target_branch,
        "CI_MERGE_REQUEST_TARGET_BRANCH_PROTECTED": "true" if request.target_is_protected else "false",
        "CI_MERGE_REQUEST_TARGET_BRANCH_SHA": request.target_sha if request.event_type != "detached" else "",
        "CI_MERGE_REQUEST_SOURCE_PROJECT_ID": str(request.source_project.id),
        "CI_MERGE_REQUEST_SOURCE_PROJECT_PATH": request.source_project.full_path,
        "CI_MERGE_REQUEST_SOURCE_PROJECT_URL": request.source_project.url,
        "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": request.source_branch,
        "CI_MERGE_REQUEST_SOURCE_BRANCH_PROTECTED": "true" if request.source_is_protected else "false",
        "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA": request.source_sha if request.event_type != "detached" else "",
    }
    if request.is_approved:
        result["CI_MERGE_REQUEST_APPROVED"] = "true"
    if request.labels:
        result["CI_MERGE_REQUEST_LABELS"] = ",".join(request.labels)
    if request.milestone is not None:
        result["CI_MERGE_REQUEST_MILESTONE"] = request.milestone
    if request.assignees:
        result["CI_MERGE_REQUEST_ASSIGNEES"] = " and ".join(request.assignees)
    return result


def _environment(environment: EnvironmentFacts) -> dict[str, str]:
    result = {
        "CI_ENVIRONMENT_NAME": environment.name,
        "CI_ENVIRONMENT_SLUG": environment_slug(environment.name),
        "CI_ENVIRONMENT_ACTION": environment.action,
    }
    if environment.id is not None:
        result["CI_ENVIRONMENT_ID"] = str(environment.id)
    if environment.tier is not None:
        result["CI_ENVIRONMENT_TIER"] = environment.tier
    if environment.url is not None:
        result["CI_ENVIRONMENT_URL"] = environment.url
    return result
