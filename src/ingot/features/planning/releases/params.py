"""Parameters of the release endpoints."""

from datetime import datetime

from ingot.kit.params import CursorPaging, Param, Params

LINK_TYPES = ("other", "runbook", "image", "package")


class ListReleases(CursorPaging):
    """Filters and order of a project's releases."""

    order_by: str = Param("Order by this date.", default="released_at", one_of=("released_at", "created_at"))
    sort: str = Param("Direction.", default="desc", one_of=("asc", "desc"))
    include_html_description: bool = Param("Show `description_html` too.", default=False)
    updated_before: datetime | None = Param("Only those changed before this time.")
    updated_after: datetime | None = Param("Only those changed after this time.")


class ListGroupReleases(CursorPaging):
    """Order and form of a group's releases."""

    sort: str = Param("Direction of the order by release date.", default="desc", one_of=("asc", "desc"))
    simple: bool = Param("Only the plain fields.", default=False)


class GetRelease(Params):
    """One release."""

    tag_name: str = Param("The tag.", required=True)
    include_html_description: bool = Param("Show `description_html` too.", default=False)


class ReleasePath(Params):
    """One release."""

    tag_name: str = Param("The tag.", required=True)


class NewLink(Params):
    """A link of a new release."""

    name: str = Param("Name.", required=True)
    url: str = Param("Address.", required=True)
    direct_asset_path: str | None = Param("Path of a permanent address for the link.", aliases=("filepath",))
    link_type: str = Param("Kind of the link.", default="other", one_of=LINK_TYPES)


class NewAssets(Params):
    """Assets of a new release."""

    links: list[NewLink] = Param("Links.")


class CreateRelease(Params):
    """A new release."""

    tag_name: str = Param("The tag; created at `ref` if it is missing.", required=True)
    name: str | None = Param("Name; the tag's if absent.")
    description: str | None = Param("Notes, in Markdown.")
    tag_message: str | None = Param("Message of a new annotated tag.")
    ref: str | None = Param("Target of a new tag: a commit, branch or tag.")
    milestones: list[str] = Param("Titles of milestones.", comma=True)
    milestone_ids: list[int] = Param("Ids of milestones.", comma=True)
    released_at: datetime | None = Param("Release date; now if absent.")
    assets: NewAssets | None = Param("Assets.")


class UpdateRelease(ReleasePath):
    """Changes of a release."""

    name: str | None = Param("Name.")
    description: str | None = Param("Notes, in Markdown.")
    released_at: datetime | None = Param("Release date.")
    milestones: list[str] = Param("Titles of milestones; none to remove all.", comma=True)
    milestone_ids: list[int] = Param("Ids of milestones; none to remove all.", comma=True)


class ListLinks(CursorPaging):
    """Links of a release."""

    tag_name: str = Param("The tag.", required=True)


class LinkPath(ReleasePath):
    """One link of a release."""

    link_id: int = Param("The link's id.", required=True)


class CreateLink(ReleasePath, NewLink):
    """A new link."""


class UpdateLink(LinkPath):
    """Changes of a link."""

    name: str | None = Param("Name.")
    url: str | None = Param("Address.")
    direct_asset_path: str | None = Param("Path of a permanent address for the link.", aliases=("filepath",))
    link_type: str = Param("Kind of the link.", default="other", one_of=LINK_TYPES)
    at_least_one = ("name", "url")
