"""Settings that nothing here reads: clients and archives get them as they are set.

Forms have them in a section of their own that says so. `tests/web/test_kept_settings.py` compares these lists with the
code that reads settings.
"""

from collections.abc import Mapping

from ingot.web.fields import Input
from ingot.web.sections import Settings

# By endpoint: the parameters, with their words in the form.
KEPT: Mapping[str, Mapping[str, str]] = {
    "/projects/:id": {
        "merge_pipelines_enabled": "Enable merged results pipelines",
        "merge_trains_enabled": "Enable merge trains",
        "merge_trains_skip_train_allowed": "Allow skipping the merge train",
        "prevent_merge_without_jira_issue": "Require an associated Jira issue to merge",
        "auto_devops_enabled": "Auto DevOps",
        "auto_devops_deploy_strategy": "Auto DevOps deployment strategy",
        "packages_enabled": "Packages",
        "show_default_award_emojis": "Show default thumbs-up and thumbs-down reactions",
        "show_diff_preview_in_email": "Show code in review emails",
        "warn_about_potentially_unwanted_characters": "Warn about hidden characters in code",
        "service_desk_enabled": "Create issues from email (Service Desk)",
        "pre_receive_secret_detection_enabled": "Reject pushes that contain secrets",
        "external_authorization_classification_label": "Classification label",
        "pages_access_level": "Who can use Pages",
        "container_registry_access_level": "Who can use the container registry",
        "monitor_access_level": "Who can use monitoring",
        "infrastructure_access_level": "Who can use infrastructure",
        "requirements_access_level": "Who can use requirements",
        "security_and_compliance_access_level": "Who can use security and compliance",
        "model_experiments_access_level": "Who can use model experiments",
        "model_registry_access_level": "Who can use the model registry",
    },
    "/groups/:id": {
        "auto_devops_enabled": "Auto DevOps",
        "mentions_disabled": "The group cannot be mentioned",
        "math_rendering_limits_enabled": "Limit math rendering",
        "lock_math_rendering_limits_enabled": "Enforce math rendering limits in subgroups",
    },
    "/users/:id": {
        "auditor": "Auditor: can read everything",
        "theme_id": "Theme ID",
        "color_scheme_id": "Syntax highlighting theme ID",
        "shared_runners_minutes_limit": "Monthly compute minutes on instance runners",
        "extra_shared_runners_minutes_limit": "Additional compute minutes",
    },
    "/application/settings": {
        "auto_devops_enabled": "",
        "service_desk_enabled": "",
        "ci_job_live_trace_enabled": "",
        "max_artifacts_content_include_total_size": "",
        "max_pages_size": "",
        "concurrent_bitbucket_import_jobs_limit": "",
    },
    "/application/plan_limits": dict.fromkeys((
        "ci_project_subscriptions", "storage_size_limit", "enforcement_limit", "notification_limit",
        "conan_max_file_size", "generic_packages_max_file_size", "helm_max_file_size", "maven_max_file_size",
        "npm_max_file_size", "nuget_max_file_size", "pypi_max_file_size", "terraform_module_max_file_size",
    ), ""),
}  # fmt: skip
# As above, where only administrators set them.
KEPT_LIMITS: Mapping[str, Mapping[str, str]] = {
    "/groups/:id": {
        "shared_runners_minutes_limit": "Monthly compute minutes on instance runners",
        "extra_shared_runners_minutes_limit": "Additional compute minutes",
    },
}
SHOWN_BY = {"auditor": "is_auditor"}  # fields of records that have other names
ABOUT = "These settings have no effect in Ingot. They are stored for API clients and exports."


def kept_settings(address: str, fixed: Mapping[str, object] | None = None) -> Settings:
    """The section with the settings of an endpoint that are only kept."""
    inputs = tuple(Input(name, words, shows=SHOWN_BY.get(name, "")) for name, words in KEPT[address].items())
    return Settings("kept", "Compatibility settings", address, inputs, about=ABOUT, fixed=fixed or {})


def kept_limits(address: str) -> Settings:
    """The section with those that only administrators set."""
    inputs = tuple(Input(name, words) for name, words in KEPT_LIMITS[address].items())
    return Settings(
        "kept_limits", "Compatibility limits", address, inputs, about=f"{ABOUT} Only administrators can see them.",
        allows=lambda call, _, __: call.may("GET", "/application/settings"),
    )  # fmt: skip
