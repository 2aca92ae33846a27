"""Settings of the instance by theme: everything that the API can set."""

from dataclasses import replace

from starlette.responses import RedirectResponse, Response

from ingot.instance.settings import DEFAULTS
from ingot.web.call import PageCall, View
from ingot.web.fields import Input
from ingot.web.guards import ADMINISTRATION
from ingot.web.kept_settings import kept_settings
from ingot.web.pages.admin import admin_view
from ingot.web.registry import Pages
from ingot.web.sections import Settings, SettingsPage, declare
from ingot.web.shared_sections import BRANCH_GUARDS

pages = Pages("site")
BASE = "admin/application_settings"


KEYS = tuple(f"{kind}_key_restriction" for kind in ("rsa", "dsa", "ecdsa", "ed25519", "ecdsa_sk", "ed25519_sk"))
KEY_SIZES = {
    "rsa_key_restriction": (1024, 2048, 3072, 4096),
    "dsa_key_restriction": (),
    "ecdsa_key_restriction": (256, 384, 521),
}


def _key_words(name: str) -> tuple[tuple[str, str], ...]:
    """The sizes of keys that are accepted, in words."""
    sizes = tuple((str(bits), f"{bits} bits or more") for bits in KEY_SIZES.get(name, (256,)))
    return (*((("0", "Any size"), *sizes) if sizes else ()), ("-1", "Not accepted"))


# Values that are numbers.
WORDS = {
    **{name: _key_words(name) for name in KEYS},
    "default_project_creation": (("0", "Nobody"), ("1", "Maintainers"), ("2", "Developers and maintainers"),
                                 ("3", "Administrators")),
    "default_branch_protection": BRANCH_GUARDS,
}  # fmt: skip


def _settings(key: str, title: str, *names: str) -> Settings:
    return Settings(
        key,
        title,
        "/application/settings",
        tuple(Input(name, options=WORDS.get(name, ())) for name in names),
        defaults=DEFAULTS,
    )


THEMES = {
    "general": ("General", (
        _settings("signing_in", "Sign-in", "signup_enabled", "require_admin_approval_after_user_signup",
                  "password_authentication_enabled_for_web", "password_authentication_enabled_for_git",
                  "email_confirmation_setting", "minimum_password_length", "password_number_required",
                  "password_symbol_required", "password_uppercase_required", "password_lowercase_required",
                  "session_expire_delay", "remember_me_enabled", "max_login_attempts",
                  "failed_login_attempts_unlock_period_in_minutes", "require_two_factor_authentication",
                  "two_factor_grace_period", "admin_mode", "after_sign_out_path", "home_page_url",
                  "disabled_oauth_sign_in_sources", "ropc_without_client_credentials"),
        _settings("accounts", "Accounts", "user_default_external", "can_create_group", "default_projects_limit",
                  "max_personal_access_token_lifetime", "impersonation_enabled", "commit_email_hostname"),
        _settings("spaces", "Projects and groups", "default_project_visibility", "default_group_visibility",
                  "default_snippet_visibility", "restricted_visibility_levels", "default_project_creation",
                  "deletion_adjourned_period", "delayed_project_deletion", "delayed_group_deletion",
                  "custom_project_templates_group_id", "file_template_project_id"),
        _settings("search", "Search", "global_search_issues_enabled", "global_search_merge_requests_enabled",
                  "global_search_snippet_titles_enabled", "global_search_users_enabled"),
    )),
    "repository": ("Repository", (
        _settings("branches", "Branches", "default_branch_name", "default_branch_protection"),
        _settings("git_access", "Git access", "enabled_git_access_protocol", *KEYS),
        Settings("storages", "Storages", "/application/settings",
                 (Input("repository_storages_weighted", "Storage weights, one per line", kind="pairs"),)),
        _settings("sizes", "Sizes", "receive_max_input_size", "repository_size_limit", "max_attachment_size",
                  "wiki_page_max_content_bytes", "push_event_hooks_limit"),
        _settings("approvals", "Approvals", "prevent_merge_requests_author_approval",
                  "prevent_merge_requests_committers_approval", "disable_overriding_approvers_per_merge_request"),
    )),
    "ci_cd": ("CI/CD", (
        _settings("ci", "Pipelines", "shared_runners_enabled", "default_ci_config_path"),
        _settings("artifacts", "Artifacts", "default_artifacts_expire_in", "keep_latest_artifact",
                  "max_artifacts_size"),
        _settings("runners", "Runners", "runner_token_expiration_interval", "allow_runner_registration_token",
                  "valid_runner_registrars"),
    )),
    "network": ("Network", (
        _settings("limits", "Request limits", "throttle_authenticated_api_enabled",
                  "throttle_authenticated_api_requests_per_period", "throttle_authenticated_api_period_in_seconds",
                  "throttle_unauthenticated_api_enabled", "throttle_unauthenticated_api_requests_per_period",
                  "throttle_unauthenticated_api_period_in_seconds", "rate_limiting_response_text"),
        _settings("outbound", "Outbound requests", "allow_local_requests_from_web_hooks_and_services",
                  "allow_local_requests_from_system_hooks", "outbound_local_requests_whitelist",
                  "deny_all_requests_except_allowed", "silent_mode_enabled"),
    )),
    "import_and_export": ("Import and export", (
        _settings("transfer", "Import and export", "project_export_enabled", "bulk_import_enabled", "import_sources",
                  "max_export_size", "max_import_size", "max_import_remote_file_size",
                  "max_decompressed_archive_size", "decompress_archive_file_timeout", "project_export_limit",
                  "project_import_limit", "project_download_export_limit"),
    )),
    "kept": ("Compatibility", (replace(kept_settings("/application/settings"), defaults=DEFAULTS),)),
}  # fmt: skip


def settings_view(call: PageCall, template: str, tab: str = "", status: int = 200, /, **data: object) -> View:
    """A theme with the row of all themes."""
    here = call.request.url.path
    themes = [
        {"name": title, "href": f"/{BASE}/{key}", "is_current": here.startswith(f"/{BASE}/{key}")}
        for key, (title, _) in THEMES.items()
    ]
    return admin_view(call, template, tab, status, theme_tabs=themes, **data)


@pages.get(BASE, guard=ADMINISTRATION)
def redirect_to_settings(_: PageCall) -> Response:
    """The first theme."""
    return RedirectResponse(f"/{BASE}/general", 302)


for _key, (_title, _sections) in THEMES.items():
    declare(pages, SettingsPage(f"{BASE}/{_key}", _title, _sections), settings_view, ADMINISTRATION)
