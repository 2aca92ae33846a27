"""What the manual contains: its pages in the order of the menu, and a search through their sections."""

from dataclasses import dataclass
from functools import cache

from ingot.web.manual.page import Page, Section, load_page, page_names

MENU = (
    ("Get started", ("getting-started", "pages", "moving-from-gitlab", "glossary")),
    ("Use Ingot", ("git", "ssh", "lfs", "pipelines", "runners", "web-hooks", "graphql", "oauth", "archives")),
    ("Administer", ("operating", "capacity", "tls", "security", "openid", "ldap", "saml", "saml-walkthroughs")),
    ("Learn more", ("testing", "compatibility", "benchmarks", "decisions/README")),
)
# They are reached from the page that lists them.
UNLISTED = "decisions/"
MOST_HITS = 30
EXCERPT = 160


@dataclass(frozen=True, slots=True)
class Hit:
    """A section in which all words were found."""

    page: Page
    section: Section
    excerpt: str


@cache
def sections() -> tuple[tuple[str, tuple[Page, ...]], ...]:
    """Headings of the menu with their pages; a page that the menu does not name comes last."""
    names = page_names()
    listed = {name for _, members in MENU for name in members}
    others = tuple(name for name in names if name not in listed and not name.startswith(UNLISTED))
    menu = [(heading, _pages(members)) for heading, members in (*MENU, ("More", others))]
    return tuple((heading, pages) for heading, pages in menu if pages)


def _pages(names: tuple[str, ...]) -> tuple[Page, ...]:
    pages = [load_page(name) for name in names]
    return tuple(page for page in pages if page is not None)


def search(query: str) -> list[Hit]:
    """The sections that hold all words; those with words in their heading first."""
    words = query.lower().split()
    if not words:
        return []
    hits = []
    for page in _pages(page_names()):
        for section in page.sections:
            heading = f"{page.title} {section.heading}".lower()
            text = f"{heading} {section.text.lower()}"
            if all(word in text for word in words):
                misses = sum(word not in heading for word in words)
                hits.append((misses, Hit(page, section, _excerpt(section.text, words))))
    return [hit for _, hit in sorted(hits, key=lambda pair: pair[0])[:MOST_HITS]]


def _excerpt(text: str, words: list[str]) -> str:
    places = [place for place in (text.lower().find(word) for word in words) if place >= 0]
    begin = max(0, min(places, default=0) - EXCERPT // 2)
    part = text[begin : begin + EXCERPT]
    return f"{'…' if begin else ''}{part.strip()}{'…' if begin + EXCERPT < len(text) else ''}"
