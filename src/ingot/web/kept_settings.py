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
        "merge_pipelines_enabled": "Pipelines run on the result of the merge",
        "merge_trains_enabled": "Requests are merged in a queue",
        "merge_trains_skip_train_allowed": "Requests may be merged around the queue",
        "prevent_merge_without_jira_issue": "Merging needs an issue of Jira",
        "auto_devops_enabled": "Auto DevOps",
        "auto_devops_deploy_strategy": "How Auto DevOps deploys",
        "packages_enabled": "Packages",
        "show_default_award_emojis": "Thumbs are shown under texts",
        "show_diff_preview_in_email": "Mails about reviews show the lines",
        "warn_about_potentially_unwanted_characters": "Warn of hidden characters in code",
        "service_desk_enabled": "Mails become issues",
        "pre_receive_secret_detection_enabled": "Refuse pushes that contain secrets",
        "external_authorization_classification_label": "Classification label",
        "pages_access_level": "Who may use sites",
        "container_registry_access_level": "Who may use container images",
        "monitor_access_level": "Who may use alerts",
        "infrastructure_access_level": "Who may use infrastructure",
        "requirements_access_level": "Who may use requirements",
        "security_and_compliance_access_level": "Who may use security",
        "model_experiments_access_level": "Who may use model experiments",
        "model_registry_access_level": "Who may use models",
    },
    "/groups/:id": {
        "auto_devops_enabled": "Auto DevOps",
        "mentions_disabled": "The group cannot be mentioned",
        "math_rendering_limits_enabled": "Long formulas are not drawn",
        "lock_math_rendering_limits_enabled": "Subgroups cannot change that",
    },
    "/users/:id": {
        "auditor": "Auditor: may read everything",
        "theme_id": "Number of the theme",
        "color_scheme_id": "Number of the colours of code",
        "shared_runners_minutes_limit": "Minutes of the instance's runners a month",
        "extra_shared_runners_minutes_limit": "Extra minutes",
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
        "shared_runners_minutes_limit": "Minutes of the instance's runners a month",
        "extra_shared_runners_minutes_limit": "Extra minutes",
    },
}
SHOWN_BY = {"auditor": "is_auditor"}  # fields of records that have other names
ABOUT = "Ingot has nothing that these switch: clients and archives get them as they are set."


def kept_settings(address: str, fixed: Mapping[str, object] | None = None) -> Settings:
    """The section with the settings of an endpoint that are only kept."""
    inputs = tuple(Input(name, words, shows=SHOWN_BY.get(name, "")) for name, words in KEPT[address].items())
    return Settings("kept", "Kept for other servers", address, inputs, about=ABOUT, fixed=fixed or {})


def kept_limits(address: str) -> Settings:
    """The section with those that only administrators set."""
    inputs = tuple(Input(name, words) for name, words in KEPT_LIMITS[address].items())
    return Settings(
        "kept_limits", "Limits kept for other servers", address, inputs, about=f"{ABOUT} Only administrators see them.",
        allows=lambda call, _, __: call.may("GET", "/application/settings"),
    )  # fmt: skip
