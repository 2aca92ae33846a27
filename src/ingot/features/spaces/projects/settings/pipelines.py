"""Settings of pipelines, jobs and runners."""

from typing import Annotated

import msgspec

from ingot.features.instance.plan_limits import artifacts_size_problem
from ingot.features.spaces.projects.settings.declaring import (
    IN_ROOT,
    NOT_IN_ARCHIVES,
    SECRET,
    ProjectSetting,
    Reader,
    Writer,
    config_path_problem,
    depth_problem,
    subject_problem,
    timeout_problem,
)
from ingot.features.spaces.projects.settings.merging import MergeSettings
from ingot.kit.catalogue import Apart, Archived, LeftOut

CLAIMS = ("project_path", "ref_type", "ref")
OVERRIDE_ROLES = ("no_one_allowed", "developer", "maintainer", "owner")
CANCELLATION_ROLES = ("developer", "maintainer", "no_one")
DEPLOY_STRATEGIES = ("continuous", "manual", "timed_incremental")
MAINTAINERS = Reader.MAINTAINERS


class PipelineSettings(MergeSettings, kw_only=True, omit_defaults=True):
    """How pipelines run; most of it only Maintainers see."""

    public_jobs: Annotated[
        bool,
        ProjectSetting("Everybody who sees the project sees its jobs.", Archived(name="public_builds")),
    ] = True
    shared_runners_enabled: Annotated[bool, ProjectSetting("Use runners of the instance.", IN_ROOT, forked=True)] = True
    group_runners_enabled: Annotated[
        bool, ProjectSetting("Use runners of the group.", Archived("ci_cd_settings"), MAINTAINERS)
    ] = True
    ci_default_git_depth: Annotated[
        int | None,
        ProjectSetting(
            "Depth of shallow clones.",
            Archived("ci_cd_settings", "default_git_depth"),
            MAINTAINERS,
            check=depth_problem,
            forked=True,
        ),
    ] = 20
    ci_delete_pipelines_in_seconds: Annotated[
        int | None,
        ProjectSetting(
            "Age from which pipelines are deleted.",
            Archived("ci_cd_settings", "delete_pipelines_in_seconds"),
            MAINTAINERS,
        ),
    ] = None
    ci_forward_deployment_enabled: Annotated[
        bool,
        ProjectSetting(
            "Prevent outdated deployments.", Archived("ci_cd_settings", "forward_deployment_enabled"), MAINTAINERS
        ),
    ] = True
    ci_forward_deployment_rollback_allowed: Annotated[
        bool,
        ProjectSetting(
            "Allow job retries for rollbacks.",
            Archived("ci_cd_settings", "forward_deployment_rollback_allowed"),
            MAINTAINERS,
        ),
    ] = True
    ci_job_token_scope_enabled: Annotated[
        bool,
        ProjectSetting(
            "Limit what job tokens reach (older switch).",
            Archived("ci_cd_settings", "job_token_scope_enabled"),
            MAINTAINERS,
        ),
    ] = False
    ci_inbound_job_token_scope_enabled: Annotated[
        bool,
        ProjectSetting(
            "Limit whose job tokens reach the project.",
            LeftOut("the projects it names do not survive a move"),
            Apart("shown by the job token scope"),
            Apart("changed through the job token scope"),
        ),
    ] = True
    ci_separated_caches: Annotated[
        bool,
        ProjectSetting(
            "Protected branches have caches of their own.", Archived("ci_cd_settings", "separated_caches"), MAINTAINERS
        ),
    ] = True
    ci_allow_fork_pipelines_to_run_in_parent_project: Annotated[
        bool,
        ProjectSetting(
            "Run pipelines of forks here.",
            Archived("ci_cd_settings", "allow_fork_pipelines_to_run_in_parent_project"),
            MAINTAINERS,
        ),
    ] = True
    ci_id_token_sub_claim_components: Annotated[
        list[str],
        ProjectSetting(
            "Components of the `sub` claim in ID tokens.",
            Archived("ci_cd_settings", "id_token_sub_claim_components"),
            MAINTAINERS,
            one_of=CLAIMS,
            check=subject_problem,
        ),
    ] = msgspec.field(default_factory=lambda: list(CLAIMS))
    ci_config_path: Annotated[
        str | None,
        ProjectSetting(
            "Path of the CI configuration.",
            IN_ROOT,
            Reader.CODE_READERS,
            longest=255,
            check=config_path_problem,
            forked=True,
        ),
    ] = None
    ci_pipeline_variables_minimum_override_role: Annotated[
        str,
        ProjectSetting(
            "Who may set variables when starting pipelines.",
            Archived("ci_cd_settings", "pipeline_variables_minimum_override_role"),
            MAINTAINERS,
            one_of=OVERRIDE_ROLES,
        ),
    ] = "maintainer"
    ci_restrict_pipeline_cancellation_role: Annotated[
        str,
        ProjectSetting(
            "Who can cancel pipelines.",
            Archived("ci_cd_settings", "restrict_pipeline_cancellation_role"),
            MAINTAINERS,
            tier="premium",
            one_of=CANCELLATION_ROLES,
        ),
    ] = "developer"
    ci_push_repository_for_job_token_allowed: Annotated[
        bool,
        ProjectSetting(
            "Job tokens may push.", Archived("ci_cd_settings", "push_repository_for_job_token_allowed"), MAINTAINERS
        ),
    ] = False
    build_git_strategy: Annotated[
        str,
        ProjectSetting(
            "How jobs get the code.",
            Archived(names=("build_allow_git_fetch",)),
            MAINTAINERS,
            one_of=("fetch", "clone"),
        ),
    ] = "fetch"
    build_timeout: Annotated[
        int,
        ProjectSetting("Seconds that a job may take.", IN_ROOT, MAINTAINERS, check=timeout_problem, forked=True),
    ] = 3600
    build_coverage_regex: Annotated[
        str | None,
        ProjectSetting(
            "Regular expression that finds the coverage in job logs.",
            IN_ROOT,
            Apart("the documented form of a project lacks it"),
        ),
    ] = None
    keep_latest_artifact: Annotated[
        bool,
        ProjectSetting("Keep artifacts of the latest successful pipeline.", Archived("ci_cd_settings"), MAINTAINERS),
    ] = True
    # None: as the closest group, else the instance.
    max_artifacts_size: Annotated[
        int | None,
        ProjectSetting(
            "Largest artifact of a job in MB (administrators).",
            LeftOut("administrators of each server decide it"),
            written_by=Writer.ADMINISTRATORS,
            check=artifacts_size_problem,
        ),
    ] = None
    restrict_user_defined_variables: Annotated[
        bool,
        ProjectSetting("Only Maintainers set variables when starting pipelines.", NOT_IN_ARCHIVES, MAINTAINERS),
    ] = False
    auto_cancel_pending_pipelines: Annotated[
        str, ProjectSetting("Cancel older pipelines.", IN_ROOT, MAINTAINERS, one_of=("disabled", "enabled"))
    ] = "enabled"
    auto_devops_enabled: Annotated[
        bool | None,
        ProjectSetting("Use Auto DevOps.", Archived("auto_devops", "enabled"), MAINTAINERS, instance_default=True),
    ] = None
    auto_devops_deploy_strategy: Annotated[
        str,
        ProjectSetting(
            "Auto DevOps deployment strategy.",
            Archived("auto_devops", "deploy_strategy"),
            MAINTAINERS,
            one_of=DEPLOY_STRATEGIES,
        ),
    ] = "continuous"
    runners_token: Annotated[
        str,
        ProjectSetting("Registration token of runners.", SECRET, MAINTAINERS, Apart("generated by the server")),
    ] = ""
    runner_token_expiration_interval: Annotated[
        int | None,
        ProjectSetting("Seconds after which runner tokens expire.", Archived("ci_cd_settings"), MAINTAINERS),
    ] = None
    allow_pipeline_trigger_approve_deployment: Annotated[
        bool,
        ProjectSetting(
            "Starters of pipelines may approve deployments.", NOT_IN_ARCHIVES, tier="premium", listed_last=True
        ),
    ] = False
