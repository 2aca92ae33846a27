"""Application settings: what administrators change at run time, with their defaults."""

from typing import Any

from sqlalchemy import Connection, bindparam, select

from ingot.instance.tables import application_settings_table
from ingot.kit.statements import Query, has_lasting_answers, lasting

DEFAULTS: dict[str, Any] = {
    "max_export_size": 0,
    "max_import_size": 0,
    "max_import_remote_file_size": 10240,
    "max_decompressed_archive_size": 25600,
    "decompress_archive_file_timeout": 210,
    "max_artifacts_size": 100,
    "max_artifacts_content_include_total_size": 524288000,
    "max_attachment_size": 100,
    "wiki_page_max_content_bytes": 5242880,
    "default_artifacts_expire_in": "30 days",
    "keep_latest_artifact": True,
    "default_branch_name": "main",
    "default_branch_protection": 2,
    "default_project_visibility": "private",
    "default_group_visibility": "private",
    "default_snippet_visibility": "private",
    "default_projects_limit": 100000,
    "default_project_creation": 2,
    "can_create_group": True,
    "restricted_visibility_levels": [],
    "bulk_import_enabled": True,
    "import_sources": ["gitlab_project", "git", "github", "bitbucket"],
    "project_export_enabled": True,
    "deletion_adjourned_period": 7,
    "delayed_project_deletion": True,
    "delayed_group_deletion": True,
    "admin_mode": False,
    "require_two_factor_authentication": False,
    "two_factor_grace_period": 48,
    "impersonation_enabled": True,
    "max_personal_access_token_lifetime": None,
    "allow_local_requests_from_web_hooks_and_services": False,
    "allow_local_requests_from_system_hooks": True,
    "outbound_local_requests_whitelist": [],
    "deny_all_requests_except_allowed": False,
    "silent_mode_enabled": False,
    "push_event_hooks_limit": 3,
    "repository_storages_weighted": {"default": 100},
    "signup_enabled": False,
    "auto_devops_enabled": False,
    "shared_runners_enabled": True,
    "service_desk_enabled": False,
    "user_default_external": False,
    "max_pages_size": 100,
    "prevent_merge_requests_author_approval": False,
    "prevent_merge_requests_committers_approval": False,
    "disable_overriding_approvers_per_merge_request": False,
    "require_admin_approval_after_user_signup": True,
    "throttle_unauthenticated_api_enabled": False,
    "throttle_unauthenticated_api_requests_per_period": 3600,
    "throttle_unauthenticated_api_period_in_seconds": 3600,
    "throttle_authenticated_api_enabled": False,
    "throttle_authenticated_api_requests_per_period": 7200,
    "throttle_authenticated_api_period_in_seconds": 3600,
    "rate_limiting_response_text": None,
    "global_search_issues_enabled": True,
    "global_search_merge_requests_enabled": True,
    "global_search_snippet_titles_enabled": True,
    "global_search_users_enabled": True,
    "project_export_limit": 6,
    "project_import_limit": 6,
    "project_download_export_limit": 1,
    "home_page_url": None,
    "after_sign_out_path": None,
    "receive_max_input_size": None,
    "repository_size_limit": 0,
    "session_expire_delay": 10080,
    "remember_me_enabled": True,
    "max_login_attempts": 10,
    "failed_login_attempts_unlock_period_in_minutes": 10,
    "ci_job_live_trace_enabled": False,
    "runner_token_expiration_interval": None,
    "valid_runner_registrars": ["project", "group"],
    "allow_runner_registration_token": True,
    "default_ci_config_path": None,
    "disabled_oauth_sign_in_sources": [],
    "commit_email_hostname": "users.noreply.localhost",
    "password_authentication_enabled_for_web": True,
    "password_authentication_enabled_for_git": True,
    "ropc_without_client_credentials": True,
    "minimum_password_length": 8,
    "password_number_required": False,
    "password_symbol_required": False,
    "password_uppercase_required": False,
    "password_lowercase_required": False,
    "email_confirmation_setting": "hard",
    "enabled_git_access_protocol": None,
    "rsa_key_restriction": 0,
    "dsa_key_restriction": -1,
    "ecdsa_key_restriction": 0,
    "ed25519_key_restriction": 0,
    "ecdsa_sk_key_restriction": 0,
    "ed25519_sk_key_restriction": 0,
    "concurrent_bitbucket_import_jobs_limit": 100,
    "custom_project_templates_group_id": None,
    "file_template_project_id": None,
}


_ALL = lasting(select(application_settings_table.c.name, application_settings_table.c.value))
_BY_NAMES = _ALL.where(application_settings_table.c.name.in_(bindparam("settings", expanding=True)))


def application_settings(conn: Connection) -> dict[str, Any]:
    """All settings with their effective values."""
    changed = conn.execute(_ALL).all()
    return {**DEFAULTS, **{row.name: row.value for row in changed}}


def settings_query(*names: str) -> Query:
    """The query that `named_settings` runs: where answers last, it is the one that others ask too."""
    return (_ALL, {}) if has_lasting_answers() else (_BY_NAMES, {"settings": names})


def named_settings(conn: Connection, *names: str) -> dict[str, Any]:
    """The effective values of some settings, in one look."""
    changed = {row.name: row.value for row in conn.execute(*settings_query(*names))}
    return {name: changed.get(name, DEFAULTS[name]) for name in names}


_BY_NAME = select(application_settings_table.c.value).where(application_settings_table.c.name == bindparam("setting"))


def application_setting(conn: Connection, name: str) -> Any:
    """One setting's effective value."""
    if has_lasting_answers():
        return named_settings(conn, name)[name]
    row = conn.execute(_BY_NAME, {"setting": name}).one_or_none()
    return DEFAULTS[name] if row is None else row.value
