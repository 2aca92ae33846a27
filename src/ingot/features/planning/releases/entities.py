"""Releases on the wire."""

from datetime import datetime

import msgspec

from ingot.features.code.repository import CommitBasic
from ingot.features.people.users import UserBasic
from ingot.features.planning.milestones import Milestone
from ingot.kit.entity import UNSET, Entity, UnsetType


class IssueStats(Entity):
    """Issue counts of a milestone."""

    total: int
    closed: int


class ReleaseMilestone(Milestone, kw_only=True):
    """A milestone of a release."""

    issue_stats: IssueStats


class ReleaseSource(Entity):
    """The source code of the tag."""

    format: str
    url: str


class ReleaseLink(Entity):
    """A link of a release."""

    id: int
    name: str
    url: str
    direct_asset_url: str
    link_type: str


class ReleaseAssets(Entity, kw_only=True):
    """Downloads of a release."""

    count: int
    sources: list[ReleaseSource] | UnsetType = UNSET
    links: list[ReleaseLink]


class ReleaseEvidence(Entity):
    """Evidence of a release."""

    sha: str
    filepath: str
    collected_at: datetime


class ReleaseAddresses(Entity, kw_only=True):
    """Links of a release."""

    self_: str = msgspec.field(name="self")
    edit_url: str | UnsetType = UNSET
    closed_issues_url: str
    opened_issues_url: str
    closed_merge_requests_url: str
    merged_merge_requests_url: str
    opened_merge_requests_url: str


class Release(Entity, kw_only=True):
    """A release; without the right to read code, neither tag nor commit is shown."""

    tag_name: str | UnsetType = UNSET
    name: str
    description: str | None
    description_html: str | UnsetType = UNSET
    created_at: datetime
    released_at: datetime
    upcoming_release: bool
    author: UserBasic | UnsetType = UNSET
    commit: CommitBasic | UnsetType = UNSET
    milestones: list[ReleaseMilestone] | UnsetType = UNSET
    commit_path: str | UnsetType = UNSET
    tag_path: str | UnsetType = UNSET
    assets: ReleaseAssets
    evidences: list[ReleaseEvidence] | UnsetType = UNSET
    links: ReleaseAddresses | UnsetType = msgspec.field(default=UNSET, name="_links")


class SimpleRelease(Entity):
    """A release in its short form."""

    name: str
    tag_name: str
    description: str | None
    created_at: datetime
    released_at: datetime
    upcoming_release: bool
