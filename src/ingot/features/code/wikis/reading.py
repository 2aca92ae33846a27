"""Reading pages from the repository of a wiki."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from ingot.features.code.wikis.names import ALL_ENDINGS, format_of, slug_of, title_of
from ingot.gitstore import Repository, objects
from ingot.gitstore.model import TreeEntry
from ingot.kit.errors import Failure, NotFound

MOST_TOGETHER = 32 << 20  # bytes
TOO_LARGE = "The pages are too large to be read together. Read them one by one."


class WikiPage(msgspec.Struct, frozen=True):
    """A page in one version of the wiki."""

    path: str
    blob_id: str
    content: bytes | None = None

    @property
    def slug(self) -> str:
        """What addresses name it by."""
        return slug_of(self.path)

    @property
    def title(self) -> str:
        """What people call it."""
        return title_of(self.path)

    @property
    def format(self) -> str:
        """Its markup."""
        return format_of(self.path) or "markdown"


def list_pages(repository: Repository, sha: str) -> list[WikiPage]:
    """All pages of a commit, by slug; of two files with one slug the first."""
    entries = objects.list_tree(repository, sha, recursive=True)
    pages = [WikiPage(entry.path, entry.id) for entry in entries if _is_page(entry)]
    by_slug = {page.slug: page for page in sorted(pages, key=lambda page: page.path, reverse=True)}
    return sorted(by_slug.values(), key=lambda page: (page.slug.lower(), page.slug))


def find_page(repository: Repository, sha: str, slug: str) -> WikiPage | None:
    """The page that an address names, without its content."""
    slug = slug.strip("/")
    if not slug:
        return None
    for ending in ALL_ENDINGS:
        entry = objects.find_entry(repository, sha, slug + ending)
        if entry is not None and _is_page(entry):
            return WikiPage(entry.path, entry.id)
    # A push may bring files with blanks in their names, which slugs do not have.
    if "-" not in slug and " " not in slug:
        return None
    wanted = slug.replace(" ", "-")
    return next((page for page in list_pages(repository, sha) if page.slug == wanted), None)


def get_page(repository: Repository, sha: str | None, slug: str) -> tuple[WikiPage, str]:
    """The page that an address names, and the commit that it is in; 404 where there is none."""
    page = None if sha is None else find_page(repository, sha, slug)
    if page is None or sha is None:
        raise NotFound("Wiki Page")
    return page, sha


def _is_page(entry: TreeEntry) -> bool:
    """A regular file: a link could name any path."""
    return entry.type == "blob" and entry.mode.startswith("100") and format_of(entry.path) is not None


def read_page(repository: Repository, page: WikiPage) -> WikiPage:
    """The page with its content; a very large one is refused with 413."""
    return replace(page, content=objects.read_blob(repository, page.blob_id))


def read_pages(repository: Repository, pages: Sequence[WikiPage]) -> list[WikiPage]:
    """The pages with their contents; 413 where those are too large together."""
    if sum(objects.blob_size(repository, page.blob_id) or 0 for page in pages) > MOST_TOGETHER:
        raise Failure(413, TOO_LARGE)
    return [read_page(repository, page) for page in pages]
