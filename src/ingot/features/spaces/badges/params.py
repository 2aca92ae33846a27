"""Parameters of the badge endpoints."""

from ingot.kit.params import CursorPaging, Param, Params


class ListBadges(CursorPaging):
    """Filters of badges."""

    name: str | None = Param("Exact name.")


class BadgePath(Params):
    """One badge."""

    badge_id: int = Param("The badge's id.", required=True)


class RenderBadge(Params):
    """Addresses to preview."""

    link_url: str = Param("Link URL.", required=True)
    image_url: str = Param("Image URL.", required=True)


class CreateBadge(RenderBadge):
    """A new badge."""

    name: str | None = Param("Name.")


class UpdateBadge(BadgePath):
    """Changes of a badge."""

    link_url: str | None = Param("Link URL.")
    image_url: str | None = Param("Image URL.")
    name: str | None = Param("Name.")
