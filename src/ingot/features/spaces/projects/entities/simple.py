"""The simple form of a project: for anonymous callers, for `simple=true`, and for the parent of a fork."""

from datetime import datetime
from functools import lru_cache
from typing import Any
from urllib.parse import quote, urlsplit

from ingot.access import ssh_addresses
from ingot.access.rows import ProjectRow
from ingot.features.people.custom_attributes import CustomAttribute
from ingot.features.spaces.projects.entities.identity import ProjectIdentity, identity_values
from ingot.features.spaces.projects.entities.namespace import NamespaceBasic
from ingot.kit.entity import UNSET, Entity, UnsetType, wire

FALLBACK_BRANCH = "main"


class License(Entity):
    """The licence found in the repository."""

    key: str
    name: str
    nickname: str | None
    html_url: str | None
    source_url: str | None


class ProjectSimple(ProjectIdentity, kw_only=True):
    """The limited fields. `default_branch` and `readme_url` are null for callers who may not read the code."""

    default_branch: str | UnsetType | None = UNSET
    tag_list: list[str]
    topics: list[str]
    ssh_url_to_repo: str
    http_url_to_repo: str
    web_url: str
    readme_url: str | UnsetType | None = UNSET
    forks_count: int | UnsetType = UNSET
    license_url: str | UnsetType | None = UNSET
    license: License | UnsetType | None = UNSET
    avatar_url: str | None
    star_count: int
    last_activity_at: datetime
    namespace: NamespaceBasic
    custom_attributes: list[CustomAttribute] | UnsetType = UNSET
    repository_storage: str | UnsetType = UNSET


def simple_values(
    row: ProjectRow, base_url: str, *, topics: list[str], namespace: NamespaceBasic, reads_code: bool, forks_count: int
) -> dict[str, Any]:
    """The fields that both forms share."""
    web_url = f"{base_url}/{row.full_path}"
    branch = row.default_branch or FALLBACK_BRANCH
    return {
        **identity_values(row),
        # A personal project shows its owner's name of today.
        "name_with_namespace": f"{namespace.name} / {row.name}" if namespace.kind == "user" else row.full_name,
        "default_branch": branch if reads_code else None,
        "tag_list": topics,
        "topics": topics,
        "ssh_url_to_repo": ssh_addresses.url_of(host_of(base_url), row.full_path),
        "http_url_to_repo": f"{web_url}.git",
        "web_url": web_url,
        "readme_url": blob_url(web_url, branch, row.readme_path) if reads_code else None,
        "forks_count": forks_count,
        "avatar_url": avatar_url(row, base_url),
        "star_count": row.star_count,
        "last_activity_at": wire(row.last_activity_at),
        "namespace": namespace,
    }


@lru_cache(64)
def host_of(base_url: str) -> str | None:
    """The server's host name."""
    return urlsplit(base_url).hostname


def blob_url(web_url: str, branch: str, path: str | None) -> str | None:
    """The page of a file, or None where there is no such file."""
    return f"{web_url}/-/blob/{quote(branch)}/{quote(path)}" if path else None


def avatar_url(row: ProjectRow, base_url: str) -> str | None:
    """The uploaded picture."""
    if not row.avatar:
        return None
    return f"{base_url}/uploads/-/system/project/avatar/{row.id}/{quote(row.avatar.rsplit('/', 1)[-1])}"


def license_values(row: ProjectRow, base_url: str, *, reads_code: bool) -> dict[str, Any]:
    """`license_url` and `license`, if requested."""
    if not reads_code:
        return {}
    branch = row.default_branch or FALLBACK_BRANCH
    return {
        "license_url": blob_url(f"{base_url}/{row.full_path}", branch, row.licence_path),
        "license": License(**row.licence) if row.licence else None,
    }
