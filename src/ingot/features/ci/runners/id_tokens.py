"""Tokens by which a job proves to other services what it is: signed when a runner takes the job.

Every claim comes from rows and from the server's own variables, never from those that a project can set.
"""

from collections.abc import Mapping, Sequence
from uuid import uuid4

import msgspec
from sqlalchemy import Connection, select

from ingot.access.call import Call
from ingot.access.levels import ROLE_NAMES, Visibility
from ingot.access.rows import ProjectRow
from ingot.access.tables import namespaces, project_authorizations, projects
from ingot.features.ci.config import PlannedJob, expand, expand_scope
from ingot.features.ci.engine import JobRow, PipelineRow
from ingot.features.ci.protected_environments import rules_of
from ingot.features.ci.runners.rows import RunnerRow
from ingot.features.ci.variables import CiVariable
from ingot.features.people.oauth import direct_groups
from ingot.features.spaces.projects import project_settings
from ingot.identity.preferences import identities_to_pass
from ingot.identity.signing_keys import sign
from ingot.instance.flags import is_on
from ingot.kit.clock import now

MOST_GROUPS = 200
EARLIER = 5  # seconds that the clock of a verifier may be behind
SOURCE_ID, SOURCE_BRANCH = "CI_MERGE_REQUEST_SOURCE_PROJECT_ID", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME"
Claims = dict[str, object]


class TokenFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The job that a runner takes."""

    runner: RunnerRow
    job: JobRow
    plan: PlannedJob
    pipeline: PipelineRow
    project: ProjectRow
    timeout: int


def id_token_variables(
    call: Call, facts: TokenFacts, predefined: Sequence[CiVariable], scope: Mapping[str, str]
) -> list[CiVariable]:
    """One masked variable for each token; variables in the audience are expanded."""
    server = {variable.key: variable.value for variable in predefined}
    claims = _claims(call.conn, facts, server, call.base_url)
    expanded = expand_scope(scope)
    result = []
    for name, written in facts.plan.id_tokens.items():
        audience = expand(written, expanded) if isinstance(written, str) else [expand(one, expanded) for one in written]
        token = sign(call.services, {**claims, "jti": str(uuid4()), "aud": audience})
        result.append(CiVariable(name, token, public=False, masked=True, raw=True))
    return result


def _claims(conn: Connection, facts: TokenFacts, server: Mapping[str, str], base_url: str) -> Claims:
    moment, pipeline, project = int(now().timestamp()), facts.pipeline, facts.project
    of_source = _source(conn, server) if pipeline.merge_request_id is not None else _place(conn, project)
    ref = server.get(SOURCE_BRANCH, "") if pipeline.merge_request_id is not None else pipeline.ref
    ref_type = "tag" if pipeline.is_tag else "branch"
    subject = {"project_path": of_source["project_path"], "ref_type": ref_type, "ref": ref}
    # The path always comes first: without it the subject of one project could be that of another.
    components = dict.fromkeys(["project_path", *project_settings(project).ci_id_token_sub_claim_components])
    return {
        "iss": base_url,
        "iat": moment,
        "nbf": moment - EARLIER,
        "exp": moment + facts.timeout,
        "sub": ":".join(f"{name}:{subject[name]}" for name in components),
        **of_source,
        **{f"job_{name}": value for name, value in _place(conn, project).items()},
        **_person(conn, facts, server),
        "pipeline_id": str(pipeline.id),
        "pipeline_source": pipeline.source,
        "job_id": str(facts.job.id),
        "ref": ref,
        "ref_type": ref_type,
        "ref_path": _ref_path(pipeline),
        "ref_protected": "true" if pipeline.is_protected else "false",
        **_environment(conn, facts, server),
        "runner_id": facts.runner.id,
        "runner_environment": "self-hosted",
        "sha": pipeline.sha,
        "project_visibility": Visibility(project.visibility).word,
        **_config(facts, server),
    }


def _place(conn: Connection, project: ProjectRow) -> dict[str, str]:
    path = conn.execute(select(namespaces.c.full_path).where(namespaces.c.id == project.namespace_id)).scalar_one()
    return {
        "namespace_id": str(project.namespace_id),
        "namespace_path": path,
        "project_id": str(project.id),
        "project_path": project.full_path,
    }


def _source(conn: Connection, server: Mapping[str, str]) -> dict[str, str]:
    """The project whose code runs: a fork does not get the name of the project that it wants to be merged into."""
    number = server.get(SOURCE_ID, "")
    row = conn.execute(select(projects).where(projects.c.id == int(number))).one_or_none() if number else None
    return _place(conn, row) if row is not None else dict.fromkeys(_NAMES, "")


_NAMES = ("namespace_id", "namespace_path", "project_id", "project_path")


def _person(conn: Connection, facts: TokenFacts, server: Mapping[str, str]) -> Claims:
    names = {"user_id": "GITLAB_USER_ID", "user_login": "GITLAB_USER_LOGIN", "user_email": "GITLAB_USER_EMAIL"}
    claims: Claims = {claim: server[name] for claim, name in names.items() if name in server}
    level = conn.execute(
        select(project_authorizations.c.access_level).where(
            project_authorizations.c.project_id == facts.project.id,
            project_authorizations.c.user_id == facts.job.user_id,
        )
    ).scalar_one_or_none()
    if level is not None:
        claims["user_access_level"] = ROLE_NAMES[level].lower()
    passed = None if facts.job.user_id is None else identities_to_pass(conn, facts.job.user_id)
    if passed is not None:
        claims["user_identities"] = passed
    return {**claims, **_groups(conn, facts)}


def _groups(conn: Connection, facts: TokenFacts) -> Claims:
    """The groups whose member the user is, where a flag asks for them. A list that is cut would be wrong."""
    if facts.job.user_id is None or not is_on(conn, "ci_jwt_groups_direct", f"Project:{facts.project.id}"):
        return {}
    groups = direct_groups(conn, facts.job.user_id)
    return {"groups_direct": [path for path, _ in groups]} if len(groups) <= MOST_GROUPS else {}


def _ref_path(pipeline: PipelineRow) -> str:
    if pipeline.merge_request_id is not None:
        return pipeline.ref
    return f"refs/{'tags' if pipeline.is_tag else 'heads'}/{pipeline.ref}"


def _environment(conn: Connection, facts: TokenFacts, server: Mapping[str, str]) -> Claims:
    if "CI_ENVIRONMENT_NAME" not in server:
        return {}
    name = server["CI_ENVIRONMENT_NAME"]
    return {
        "environment": name,
        "environment_protected": str(bool(rules_of(conn, facts.project.id, name[:255]))).lower(),
        "deployment_tier": server.get("CI_ENVIRONMENT_TIER"),
        "environment_action": server.get("CI_ENVIRONMENT_ACTION"),
    }


def _config(facts: TokenFacts, server: Mapping[str, str]) -> Claims:
    """Where the configuration is; null for one of another project or host."""
    path = server.get("CI_CONFIG_PATH", "")
    if not path or "@" in path or "://" in path:
        return {"ci_config_ref_uri": None, "ci_config_sha": None}
    place = f"{server.get('CI_SERVER_FQDN', '')}/{facts.project.full_path}"
    return {
        "ci_config_ref_uri": f"{place}//{path}@{_ref_path(facts.pipeline)}",
        "ci_config_sha": facts.pipeline.sha,
    }
