"""Parameters of the user endpoints."""

from datetime import datetime
from typing import Any

from ingot.kit.params import CursorPaging, Param, Params, UploadedFile

ORDERS = ("id", "name", "username", "created_at", "updated_at")


class ListUsers(CursorPaging):
    """Filters of the user list; the last ones are ignored unless an administrator sends them."""

    username: str | None = Param("Exact username, case-insensitive.")
    search: str | None = Param("Part of the name or username, or a whole email address.")
    active: bool = Param("Only active users.", default=False)
    blocked: bool = Param("Only blocked users.", default=False)
    external: bool = Param("Only external users.", default=False)
    exclude_external: bool = Param("Leave external users out.", default=False)
    exclude_internal: bool = Param("Leave internal users (ghost, bots of the instance) out.", default=False)
    exclude_active: bool = Param("Leave active users out.", default=False)
    exclude_humans: bool = Param("Only bots and internal users.", default=False)
    humans: bool = Param("Only people.", default=False)
    without_project_bots: bool = Param("Leave the bots of project and group tokens out.", default=False)
    extern_uid: str | None = Param("Account at the identity provider (administrators).")
    provider: str | None = Param("Identity provider (administrators).")
    saml_provider_id: int | None = Param("Only users of this SAML provider (administrators).")
    admins: bool = Param("Only administrators (administrators).", default=False)
    created_after: datetime | None = Param("Created at or after (administrators).")
    created_before: datetime | None = Param("Created at or before (administrators).")
    two_factor: str | None = Param("Second factor (administrators).", one_of=("enabled", "disabled"))
    without_projects: bool = Param("Only users who are in no project (administrators).", default=False)
    with_custom_attributes: bool = Param("Include custom attributes (administrators).", default=False)
    custom_attributes: dict[str, Any] | None = Param("Only users with these values (administrators).")
    order_by: str = Param("Order (administrators).", default="id", one_of=ORDERS)
    sort: str = Param("Direction (administrators).", default="desc", one_of=("asc", "desc"))
    all_or_none = (("extern_uid", "provider"),)


class GetUser(Params):
    """Options of reading one user."""

    with_custom_attributes: bool = Param("Include custom attributes (administrators).", default=False)


class UserFields(Params):
    """What administrators set when they create or edit a user."""

    linkedin: str | None = Param("LinkedIn profile.")
    skype: str | None = Param("Skype name.")
    twitter: str | None = Param("X account.")
    discord: str | None = Param("Discord id.")
    website_url: str | None = Param("Website.")
    organization: str | None = Param("Organization.")
    job_title: str | None = Param("Job title.")
    pronouns: str | None = Param("Pronouns.")
    projects_limit: int | None = Param("Personal projects that the user may have.")
    extern_uid: str | None = Param("Account at the identity provider.")
    provider: str | None = Param("Identity provider.")
    group_id_for_saml: int | None = Param("Top-level group whose own SAML provider it is.")
    bio: str | None = Param("Biography, at most 255 characters.")
    location: str | None = Param("Location.")
    public_email: str | None = Param("Email address that everyone sees.")
    commit_email: str | None = Param("Email address for commits made here.")
    admin: bool | None = Param("Make an administrator.")
    auditor: bool | None = Param("Make an auditor.")
    can_create_group: bool | None = Param("May create top-level groups.")
    external: bool | None = Param("An external user sees only what they are a member of.")
    avatar: UploadedFile | None = Param("Avatar.")
    theme_id: int | None = Param("Theme.")
    color_scheme_id: int | None = Param("Colours of the file viewer.")
    private_profile: bool | None = Param("Hide the activity of this user.")
    note: str | None = Param("Notes of administrators.")
    view_diffs_file_by_file: bool | None = Param("Show one file of a change at a time.")
    shared_runners_minutes_limit: int | None = Param("CI minutes per month.")
    extra_shared_runners_minutes_limit: int | None = Param("Additional CI minutes.")
    all_or_none = (("extern_uid", "provider"),)


class CreateUser(UserFields):
    """A new user."""

    email: str = Param("Email address.", required=True)
    name: str = Param("Display name.", required=True)
    username: str = Param("Username.", required=True)
    password: str | None = Param("Password.")
    reset_password: bool | None = Param("The user gets a link to set a password.")
    force_random_password: bool | None = Param("Set a random password.")
    skip_confirmation: bool = Param("The address counts as confirmed.", default=False)
    at_least_one = ("password", "reset_password", "force_random_password")


class EditUser(UserFields):
    """Changes to a user."""

    email: str | None = Param("Email address.")
    name: str | None = Param("Display name.")
    username: str | None = Param("Username.")
    password: str | None = Param("Password.")
    skip_reconfirmation: bool = Param("The address that is sent counts as confirmed.", default=False)


class DeleteUser(Params):
    """Options of removing a user."""

    hard_delete: bool = Param("Also delete what the user wrote, and groups that only they own.", default=False)


class AddKey(Params):
    """An SSH key."""

    title: str = Param("Title.", required=True)
    key: str = Param("Public key.", required=True)
    expires_at: datetime | None = Param("When the key expires.")
    usage_type: str = Param(
        "Usage of the key.", default="auth_and_signing", one_of=("auth", "signing", "auth_and_signing")
    )


class FindKey(Params):
    """How a key is looked up."""

    fingerprint: str = Param("MD5 (`ab:cd:…`) or SHA-256 (`SHA256:…`) of the key.", required=True)
