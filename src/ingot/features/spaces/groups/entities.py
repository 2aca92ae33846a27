"""Groups on the wire: in lists, in full, and as transfer locations."""

from datetime import date, datetime

from ingot.features.people.custom_attributes import CustomAttribute
from ingot.features.people.saml import SamlGroupLink
from ingot.features.spaces.groups.settings import GROUP_SETTINGS, Reader
from ingot.features.spaces.projects import ProjectFull
from ingot.kit.entity import UNSET, Entity, UnsetType

DETAIL_READERS = tuple(reader for reader in Reader if reader is not Reader.IN_LISTS)


class GroupStatistics(Entity, kw_only=True):
    """Sizes over the projects of a group, in bytes."""

    storage_size: int
    repository_size: int
    wiki_size: int
    lfs_objects_size: int
    job_artifacts_size: int
    pipeline_artifacts_size: int
    packages_size: int
    snippets_size: int
    uploads_size: int


@GROUP_SETTINGS.shown(Reader.IN_LISTS, always=(Reader.IN_LISTS,))
class Group(Entity, kw_only=True):
    """A group in a list."""

    id: int
    web_url: str
    name: str
    path: str
    description: str
    visibility: str
    emails_disabled: bool
    avatar_url: str | None
    full_name: str
    full_path: str
    created_at: datetime
    parent_id: int | None
    organization_id: int
    custom_attributes: list[CustomAttribute] | UnsetType = UNSET
    statistics: GroupStatistics | UnsetType = UNSET
    ldap_cn: str | UnsetType | None = UNSET
    ldap_access: int | UnsetType | None = UNSET
    marked_for_deletion_on: date | UnsetType | None = UNSET


class SharedWithGroup(Entity, kw_only=True):
    """A group that this one is shared with."""

    group_id: int
    group_name: str
    group_full_path: str
    group_access_level: int
    expires_at: date | None


@GROUP_SETTINGS.shown(*DETAIL_READERS, always=(Reader.ON_THE_GROUP,))
class GroupDetail(Group, kw_only=True):
    """A single group."""

    shared_with_groups: list[SharedWithGroup]
    projects: list[ProjectFull] | UnsetType = UNSET
    shared_projects: list[ProjectFull] | UnsetType = UNSET
    saml_group_links: list[SamlGroupLink] | UnsetType = UNSET


class GroupLocation(Entity, kw_only=True):
    """A possible transfer location."""

    id: int
    web_url: str
    name: str
    avatar_url: str | None
    full_name: str
    full_path: str
