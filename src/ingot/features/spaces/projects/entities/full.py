"""The full form of a project: the settings of the catalogue, and the fields declared here.

A field says where its value comes from, who sees it (`to`) and in which tier. Nothing else lists the fields.
"""

from datetime import date, datetime
from typing import Annotated

from msgspec import field

from ingot.access import policy
from ingot.access.levels import Visibility
from ingot.features.people.users import UserBasic
from ingot.features.spaces.projects import policy as own
from ingot.features.spaces.projects.entities import fields
from ingot.features.spaces.projects.entities.fields import Shown, shown_fields, switch, when_allowed
from ingot.features.spaces.projects.entities.parts import (
    ExpirationPolicyShown,
    Links,
    Permissions,
    SharedWithGroup,
    Statistics,
)
from ingot.features.spaces.projects.entities.simple import ProjectSimple
from ingot.features.spaces.projects.settings import PROJECT_SETTINGS
from ingot.kit.entity import UNSET, UnsetType, wire


@PROJECT_SETTINGS.shown()
class ProjectFull(ProjectSimple, kw_only=True):
    """All fields; those the caller may not see are left out, and anonymous callers get the simple form."""

    forked_from_project: Annotated[ProjectSimple | UnsetType, Shown(lambda view: view.parent)] = UNSET
    container_registry_image_prefix: Annotated[str | UnsetType, Shown(fields.image_prefix)] = UNSET
    links: Annotated[Links | UnsetType, Shown(fields.links)] = field(name="_links", default=UNSET)
    empty_repo: Annotated[bool | UnsetType, Shown(lambda view: view.project.row.empty_repo)] = UNSET
    archived: Annotated[bool | UnsetType, Shown(lambda view: view.project.row.archived, alike=True)] = UNSET
    visibility: Annotated[
        str | UnsetType, Shown(lambda view: Visibility(view.project.row.visibility).word, alike=True)
    ] = UNSET
    owner: Annotated[UserBasic | UnsetType, Shown(lambda view: view.owner)] = UNSET
    container_expiration_policy: Annotated[ExpirationPolicyShown | UnsetType, Shown(fields.expiration_policy)] = UNSET
    issues_enabled: Annotated[bool | UnsetType, when_allowed(policy.READ_ISSUES)] = UNSET
    merge_requests_enabled: Annotated[
        bool | UnsetType, Shown(lambda view: view.rights.uses_merge_requests, alike=True)
    ] = UNSET
    wiki_enabled: Annotated[bool | UnsetType, when_allowed(own.READ_WIKI)] = UNSET
    jobs_enabled: Annotated[bool | UnsetType, when_allowed(policy.READ_BUILDS)] = UNSET
    snippets_enabled: Annotated[bool | UnsetType, when_allowed(own.READ_SNIPPETS)] = UNSET
    container_registry_enabled: Annotated[bool | UnsetType, when_allowed(own.READ_REGISTRY)] = UNSET
    service_desk_address: Annotated[
        str | UnsetType | None, Shown(fields.service_desk_address, to=own.MANAGE_ISSUES)
    ] = UNSET
    can_create_merge_request_in: Annotated[bool | UnsetType, when_allowed(own.CREATE_MERGE_REQUEST_IN)] = UNSET
    issues_access_level: Annotated[str | UnsetType, switch("issues")] = UNSET
    repository_access_level: Annotated[str | UnsetType, switch("repository")] = UNSET
    merge_requests_access_level: Annotated[str | UnsetType, switch("merge_requests")] = UNSET
    forking_access_level: Annotated[str | UnsetType, switch("forking")] = UNSET
    wiki_access_level: Annotated[str | UnsetType, switch("wiki")] = UNSET
    builds_access_level: Annotated[str | UnsetType, switch("builds")] = UNSET
    snippets_access_level: Annotated[str | UnsetType, switch("snippets")] = UNSET
    pages_access_level: Annotated[str | UnsetType, switch("pages")] = UNSET
    analytics_access_level: Annotated[str | UnsetType, switch("analytics")] = UNSET
    container_registry_access_level: Annotated[str | UnsetType, switch("container_registry")] = UNSET
    security_and_compliance_access_level: Annotated[str | UnsetType, switch("security_and_compliance")] = UNSET
    releases_access_level: Annotated[str | UnsetType, switch("releases")] = UNSET
    environments_access_level: Annotated[str | UnsetType, switch("environments")] = UNSET
    feature_flags_access_level: Annotated[str | UnsetType, switch("feature_flags")] = UNSET
    infrastructure_access_level: Annotated[str | UnsetType, switch("infrastructure")] = UNSET
    monitor_access_level: Annotated[str | UnsetType, switch("monitor")] = UNSET
    model_experiments_access_level: Annotated[str | UnsetType, switch("model_experiments")] = UNSET
    model_registry_access_level: Annotated[str | UnsetType, switch("model_registry")] = UNSET
    emails_disabled: Annotated[bool | UnsetType, Shown(lambda view: not view.settings.emails_enabled, alike=True)] = (
        UNSET
    )
    creator_id: Annotated[int | UnsetType | None, Shown(lambda view: view.project.row.creator_id)] = UNSET
    import_url: Annotated[
        str | UnsetType | None,
        Shown(lambda view: fields.without_credentials(view.project.row.import_url), to=policy.ADMIN_PROJECT),
    ] = UNSET
    import_type: Annotated[
        str | UnsetType | None, Shown(lambda view: view.project.row.import_type, to=policy.ADMIN_PROJECT)
    ] = UNSET
    import_status: Annotated[str | UnsetType, Shown(lambda view: view.project.row.import_status)] = UNSET
    import_error: Annotated[str | UnsetType | None, Shown(lambda view: view.import_error, to=policy.ADMIN_PROJECT)] = (
        UNSET
    )
    open_issues_count: Annotated[int | UnsetType, Shown(fields.open_issues_count)] = UNSET
    description_html: Annotated[str | UnsetType, Shown(lambda view: view.project.row.description_html)] = UNSET
    updated_at: Annotated[datetime | UnsetType, Shown(lambda view: wire(view.project.row.updated_at))] = UNSET
    shared_with_groups: Annotated[list[SharedWithGroup] | UnsetType, Shown(lambda view: view.shares)] = UNSET
    printing_merge_requests_link_enabled: Annotated[
        bool | UnsetType, Shown(lambda view: view.settings.printing_merge_request_link_enabled, alike=True)
    ] = UNSET
    statistics: Annotated[Statistics | UnsetType, Shown(lambda view: view.statistics)] = UNSET
    marked_for_deletion_at: Annotated[
        date | UnsetType | None, Shown(lambda view: view.project.row.marked_for_deletion_on, tier="premium")
    ] = UNSET
    marked_for_deletion_on: Annotated[
        date | UnsetType | None, Shown(lambda view: view.project.row.marked_for_deletion_on, tier="premium")
    ] = UNSET
    requirements_enabled: Annotated[bool | UnsetType, when_allowed(own.READ_REQUIREMENTS, tier="premium")] = UNSET
    requirements_access_level: Annotated[str | UnsetType, switch("requirements", tier="premium")] = UNSET
    security_and_compliance_enabled: Annotated[bool | UnsetType, when_allowed(own.READ_SECURITY, tier="premium")] = (
        UNSET
    )
    secret_push_protection_enabled: Annotated[
        bool | UnsetType,
        Shown(
            lambda view: view.settings.pre_receive_secret_detection_enabled,
            to=own.SEE_SECRET_DETECTION,
            tier="premium",
            alike=True,
        ),
    ] = UNSET
    permissions: Annotated[Permissions | UnsetType, Shown(lambda view: view.permissions)] = UNSET


# Fields shared by projects with the same switches, settings and role of the caller, and fields of each project.
ALIKE = shown_fields(ProjectFull, alike=True)
FIELDS = shown_fields(ProjectFull, alike=False)
