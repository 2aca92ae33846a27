"""Parameters of the wiki endpoints."""

from ingot.features.code.wikis.names import FORMATS
from ingot.kit.params import Param, Params, UploadedFile


class ListWikiPages(Params):
    """What of the pages is shown."""

    with_content: bool = Param("Also the content of the pages.", default=False)


class WikiPagePath(Params):
    """One page."""

    slug: str = Param("The page's slug; a slash in it is sent as `%2F`.", required=True)


class GetWikiPage(WikiPagePath):
    """Which version of a page, and how it is shown."""

    version: str | None = Param("The commit whose version is shown; else the newest.")
    render_html: bool = Param("Show the content as HTML.", default=False)


class CreateWikiPage(Params):
    """A new page."""

    title: str = Param("Title; parts before a slash are folders.", required=True)
    content: str = Param("Content.", required=True)
    format: str = Param("Markup of the content.", default="markdown", one_of=FORMATS)


class UpdateWikiPage(WikiPagePath):
    """Changes of a page."""

    title: str | None = Param("New title. Without a slash the page stays in its folder; `/x` moves it to the top.")
    content: str | None = Param("New content.")
    format: str = Param("Markup of the content.", default="markdown", one_of=FORMATS)
    at_least_one = ("content", "title", "format")


class NewAttachment(Params):
    """A file to attach."""

    file: UploadedFile = Param("The file.", required=True)
    branch: str | None = Param("The branch to commit to; else the default branch.")
