"""Every setting of the instance with its documentation; the type follows from the default unless given here."""

from typing import Any

from ingot.instance.settings import DEFAULTS
from ingot.kit.params import Param, Params

VISIBILITIES = ("private", "internal", "public")

DOCS: dict[str, str] = {
    "max_export_size": "Largest export archive in MB; 0 means no limit.",
    "max_import_size": "Largest import archive in MB; 0 means no limit.",
    "max_import_remote_file_size": "Largest archive fetched from a URL in MB; 0 means no limit.",
    "bulk_import_enabled": "Relations of projects may be exported one by one, for direct transfers.",
    "max_decompressed_archive_size": "Largest unpacked archive in MB; 0 means no limit.",
    "decompress_archive_file_timeout": "Seconds that unpacking an archive may take; 0 means no limit.",
    "max_artifacts_size": "Largest artifacts archive of a job in MB.",
    "max_artifacts_content_include_total_size": "Largest sum of included CI files in bytes.",
    "max_attachment_size": "Largest attachment in MB.",
    "wiki_page_max_content_bytes": "Largest wiki page in bytes.",
    "max_pages_size": "Largest pages site in MB.",
    "default_artifacts_expire_in": "How long artifacts are kept unless the job says otherwise.",
    "keep_latest_artifact": "Keep the artifacts of the latest successful pipeline of each ref.",
    "default_branch_name": "Default branch of new projects.",
    "default_branch_protection": "How new default branches are protected, 0 (not at all) to 4.",
    "default_project_visibility": "Visibility of new projects.",
    "default_group_visibility": "Visibility of new groups.",
    "default_snippet_visibility": "Visibility of new snippets.",
    "default_projects_limit": "Personal projects that a new user may have.",
    "default_project_creation": (
        "Who can create projects in groups: 0 nobody, 1 maintainers, 2 developers and maintainers, 3 administrators."
    ),
    "can_create_group": "New users may create top-level groups.",
    "restricted_visibility_levels": "Visibility levels that only administrators may use.",
    "import_sources": "Where projects may be imported from.",
    "project_export_enabled": "Projects may be exported.",
    "deletion_adjourned_period": "Days between marking for deletion and deletion.",
    "delayed_project_deletion": "Projects are deleted with a delay.",
    "delayed_group_deletion": "Groups are deleted with a delay.",
    "admin_mode": "Administrators must confirm their identity to use admin access; tokens need the scope `admin_mode`.",
    "require_two_factor_authentication": "Require two-factor authentication for all users.",
    "two_factor_grace_period": "Grace period in hours for required two-factor authentication.",
    "impersonation_enabled": "Impersonation tokens work.",
    "max_personal_access_token_lifetime": "Maximum access token lifetime in days; 365 if unset.",
    "allow_local_requests_from_web_hooks_and_services": "Outgoing requests may reach local addresses.",
    "allow_local_requests_from_system_hooks": "System hooks may reach local addresses.",
    "outbound_local_requests_whitelist": "Addresses that outgoing requests may reach although they are local.",
    "deny_all_requests_except_allowed": "Outgoing requests may reach the listed addresses only.",
    "silent_mode_enabled": "Do not send emails, webhooks, integration messages or mirror updates.",
    "push_event_hooks_limit": "Maximum number of refs of one kind in a push that trigger hooks; 0 means unlimited.",
    "repository_storages_weighted": "Storages of new repositories with their weights.",
    "signup_enabled": "Allow sign-up.",
    "auto_devops_enabled": "New projects use the automatic pipeline.",
    "shared_runners_enabled": "New projects use the instance's runners.",
    "service_desk_enabled": "Service desk is offered.",
    "user_default_external": "New users are external.",
    "prevent_merge_requests_author_approval": "Prevent approval by the author.",
    "prevent_merge_requests_committers_approval": "Prevent approval by users who added commits.",
    "disable_overriding_approvers_per_merge_request": "Prevent editing approval rules in merge requests.",
    "require_admin_approval_after_user_signup": "New sign-ups require administrator approval.",
    "throttle_unauthenticated_api_enabled": "Limit calls without a user.",
    "throttle_unauthenticated_api_requests_per_period": "Calls without a user per address and period.",
    "throttle_unauthenticated_api_period_in_seconds": "The period for calls without a user.",
    "throttle_authenticated_api_enabled": "Limit calls of each user.",
    "throttle_authenticated_api_requests_per_period": "Calls per user and period.",
    "throttle_authenticated_api_period_in_seconds": "The period for calls of a user.",
    "rate_limiting_response_text": "Response text for rate-limited requests; empty means `Retry later`.",
    "global_search_issues_enabled": "Issues can be searched in the whole instance.",
    "global_search_merge_requests_enabled": "Merge requests can be searched in the whole instance.",
    "global_search_snippet_titles_enabled": "Snippets can be searched in the whole instance.",
    "global_search_users_enabled": "Users can be searched in the whole instance.",
    "project_export_limit": "Exports that a user may start per minute.",
    "project_import_limit": "Imports that a user may start per minute.",
    "project_download_export_limit": "Export downloads per user and minute.",
    "home_page_url": "URL that visitors without an account are redirected to.",
    "after_sign_out_path": "URL that users are redirected to after sign-out.",
    "receive_max_input_size": "Largest push in MB.",
    "repository_size_limit": "Largest repository with its LFS objects in MB; 0 means no limit.",
    "session_expire_delay": "Minutes of inactivity until a session expires.",
    "remember_me_enabled": "Allow users to stay signed in for two weeks.",
    "max_login_attempts": "Failed sign-ins after which an account is locked.",
    "failed_login_attempts_unlock_period_in_minutes": "Minutes after which a locked account is unlocked.",
    "ci_job_live_trace_enabled": "Job logs are written to the object store while the job runs.",
    "runner_token_expiration_interval": "Seconds until runner tokens expire.",
    "valid_runner_registrars": "Who can register runners.",
    "allow_runner_registration_token": "Runners may be registered by a registration token.",
    "default_ci_config_path": "CI file of new projects.",
    "disabled_oauth_sign_in_sources": "Sign-in providers that are turned off.",
    "commit_email_hostname": "Host name for private commit email addresses.",
    "password_authentication_enabled_for_web": "People may sign in with a password.",
    "password_authentication_enabled_for_git": (
        "Allow passwords for Git over HTTP for users without two-factor authentication."
    ),
    "ropc_without_client_credentials": "The OAuth password grant, where it is on, needs no application.",
    "minimum_password_length": "Shortest password, 8 to 128.",
    "password_number_required": "Passwords must contain a digit.",
    "password_symbol_required": "Passwords must contain a symbol.",
    "password_uppercase_required": "Passwords must contain an uppercase letter.",
    "password_lowercase_required": "Passwords must contain a lowercase letter.",
    "email_confirmation_setting": (
        "Whether new users must confirm their email address first (`hard`), within three days (`soft`) or never"
        " (`off`). Requires email to be set up."
    ),
    "enabled_git_access_protocol": "Git access protocols; `all` and no value allow both.",
    "rsa_key_restriction": "Minimum RSA key size in bits (at least 2048); 0 means any size, -1 forbids RSA keys.",
    "dsa_key_restriction": "DSA keys are never accepted.",
    "ecdsa_key_restriction": "Minimum ECDSA key size in bits; 0 means any size, -1 forbids them.",
    "ed25519_key_restriction": "Minimum Ed25519 key size in bits; 0 means any size, -1 forbids them.",
    "ecdsa_sk_key_restriction": "The same for ECDSA security keys (ECDSA_SK).",
    "ed25519_sk_key_restriction": "The same for Ed25519 security keys (ED25519_SK).",
    "concurrent_bitbucket_import_jobs_limit": "Concurrent imports from that host.",
    "custom_project_templates_group_id": "Group whose projects are the instance's project templates.",
    "file_template_project_id": "Project with the instance's file templates.",
}

TYPES: dict[str, Any] = {
    "max_personal_access_token_lifetime": int,
    "enabled_git_access_protocol": str,
    "receive_max_input_size": int,
    "runner_token_expiration_interval": int,
    "home_page_url": str,
    "rate_limiting_response_text": str,
    "after_sign_out_path": str,
    "default_ci_config_path": str,
    "custom_project_templates_group_id": int,
    "file_template_project_id": int,
}
CHOICES: dict[str, tuple[Any, ...]] = {
    "default_project_visibility": VISIBILITIES,
    "default_group_visibility": VISIBILITIES,
    "default_snippet_visibility": VISIBILITIES,
    "restricted_visibility_levels": VISIBILITIES,
    "default_branch_protection": (0, 1, 2, 3, 4),
    "default_project_creation": (0, 1, 2, 3),
    "import_sources": (
        "gitlab_project", "git", "github", "bitbucket", "bitbucket_server", "fogbugz", "gitea", "manifest",
    ),
    "valid_runner_registrars": ("project", "group"),
    "enabled_git_access_protocol": ("ssh", "http", "all"),
    "email_confirmation_setting": ("off", "soft", "hard"),
    "rsa_key_restriction": (0, -1, 1024, 2048, 3072, 4096),
    "dsa_key_restriction": (-1,),
    "ecdsa_key_restriction": (0, -1, 256, 384, 521),
    "ed25519_key_restriction": (0, -1, 256),
    "ecdsa_sk_key_restriction": (0, -1, 256),
    "ed25519_sk_key_restriction": (0, -1, 256),
}  # fmt: skip
BOUNDS: dict[str, tuple[int, int]] = {
    **{name: (-1, 4096) for name in DEFAULTS if name.endswith("_key_restriction")},
    "two_factor_grace_period": (0, 2**31 - 1),
    "deletion_adjourned_period": (1, 90),
    "max_personal_access_token_lifetime": (1, 365),
    "minimum_password_length": (8, 128),
    "session_expire_delay": (1, 5_256_000),  # ten years
    "max_login_attempts": (1, 2**31 - 1),
    "failed_login_attempts_unlock_period_in_minutes": (1, 5_256_000),
    "wiki_page_max_content_bytes": (1024, 8 << 20),  # requests do not bring longer texts
    "throttle_unauthenticated_api_period_in_seconds": (1, 2**31 - 1),
    "throttle_authenticated_api_period_in_seconds": (1, 2**31 - 1),
}


def _annotation(name: str) -> Any:
    default = DEFAULTS[name]
    if name in TYPES:
        return TYPES[name] | None
    return list[str] if isinstance(default, list) else type(default) | None


def _params() -> type[Params]:
    body: dict[str, Any] = {"__doc__": "Settings to change; absent ones stay.", "__annotations__": {}}
    for name, default in DEFAULTS.items():
        body["__annotations__"][name] = _annotation(name)
        doc = DOCS.get(name) or f"{name.replace('_', ' ').capitalize()}."
        body[name] = Param(doc, one_of=CHOICES.get(name), comma=isinstance(default, list))
    body["__module__"] = __name__
    return type("ChangeSettings", (Params,), body)


ChangeSettings = _params()
