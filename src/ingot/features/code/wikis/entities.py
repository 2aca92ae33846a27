"""Pages of wikis on the wire."""

from collections.abc import Sequence
from html import escape

from ingot.access.call import Call
from ingot.features.code.wikis.front_matter import front_matter
from ingot.features.code.wikis.queries import known_pages
from ingot.features.code.wikis.reading import WikiPage
from ingot.features.code.wikis.wiki import Wiki
from ingot.features.spaces.projects import to_html
from ingot.kit.entity import UNSET, Entity, UnsetType


class WikiPageShown(Entity, kw_only=True):
    """A page of a wiki."""

    format: str
    slug: str
    title: str
    content: str | UnsetType = UNSET
    encoding: str | UnsetType = UNSET
    front_matter: dict[str, str] | UnsetType = UNSET
    wiki_page_meta_id: int | None


class AttachmentLink(Entity):
    """How a page refers to an attachment."""

    url: str
    markdown: str


class Attachment(Entity):
    """A file of a wiki."""

    file_name: str
    file_path: str
    branch: str
    link: AttachmentLink


def present(call: Call, wiki: Wiki, pages: Sequence[WikiPage], *, as_html: bool = False) -> list[WikiPageShown]:
    """These pages, with their content where it was read."""
    numbers = known_pages(call.conn, wiki, [page.slug for page in pages])
    return [_present(page, numbers.get(page.slug), as_html=as_html) for page in pages]


def _present(page: WikiPage, number: int | None, *, as_html: bool) -> WikiPageShown:
    shown = WikiPageShown(format=page.format, slug=page.slug, title=page.title, wiki_page_meta_id=number)
    if page.content is not None:
        text = page.content.decode("utf-8", "replace")
        shown.content = html_of(page.format, text) if as_html else text
        shown.encoding = "UTF-8"
        shown.front_matter = front_matter(text)
    return shown


def html_of(page_format: str, text: str) -> str:
    """Safe HTML: Markdown is rendered, other markup is shown as it is."""
    if page_format == "markdown":
        return to_html(text)
    return f"<pre>{escape(text, quote=False)}</pre>" if text else ""
