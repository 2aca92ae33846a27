"""One page of the manual: its Markdown, rendered once, with links that work below `/help`."""

import posixpath
from dataclasses import dataclass
from functools import cache
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

from markupsafe import Markup

from ingot.kit.patterns import pattern

ROOT = "/help"
_PACKAGED = Path(__file__).with_name("docs")
# In a checkout the pages are where people edit them; a wheel holds a copy.
FOLDER = _PACKAGED if _PACKAGED.is_dir() else Path(__file__).parents[4] / "docs"
PICTURES = {".png": "image/png", ".svg": "image/svg+xml"}
# The API has a reference of its own.
LEFT_OUT = "api"
ANCHOR = "md-"

_HEADING = pattern(r'(?s)<h([1-6]) id="([^"]+)">(.*?)</h[1-6]>')
_INLINE = pattern(r"</?(?:a|code|em|span|strong)\b[^>]*>")
_TAG = pattern(r"<[^>]+>")
_LINK = pattern(r'\b(href|src)="([^"]*)"')
_WIDE = pattern(r"<(table|pre)\b")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page: from one heading to the next."""

    anchor: str
    heading: str
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """A rendered page."""

    name: str
    title: str
    html: Markup
    sections: tuple[Section, ...]

    @property
    def address(self) -> str:
        """Where it is served."""
        return f"{ROOT}/{self.name}"


@cache
def page_names() -> tuple[str, ...]:
    """All pages, by the names of their files without `.md`."""
    paths = [path.relative_to(FOLDER) for path in FOLDER.rglob("*.md")]
    return tuple(sorted(str(path.with_suffix("")) for path in paths if path.parts[0] != LEFT_OUT))


@cache
def picture_names() -> tuple[str, ...]:
    """All pictures, by the names of their files."""
    return tuple(sorted(str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*") if path.suffix in PICTURES))


def find_file(name: str) -> tuple[bytes, str] | None:
    """A picture and its media type, or None."""
    if name not in picture_names():
        return None
    return (FOLDER / name).read_bytes(), PICTURES[Path(name).suffix]


def load_page(name: str) -> Page | None:
    """The page of this name, or None."""
    return _render(name) if name in page_names() else None


@cache
def _render(name: str) -> Page:
    # Loaded with the first page that somebody reads. The text is ours, so it is rendered in this process.
    from ingot.web.texts.markdown import render

    html = render((FOLDER / f"{name}.md").read_text(), {}, {})
    html = _LINK.sub(lambda match: f'{match[1]}="{_address(name, match[2])}"', html)
    # What scrolls sideways can be scrolled with the keyboard.
    html = _WIDE.sub(lambda match: f'{match[0]} tabindex="0"', html)
    parts = _sections(html)
    title = parts[0].heading if parts else name
    return Page(name, title, Markup(html), parts)  # noqa: S704 - sanitised by the renderer


def _address(name: str, target: str) -> str:
    """Where a link of a page leads: another page below `/help`, or an address elsewhere."""
    parts = urlsplit(target)
    if parts.scheme or parts.netloc or not parts.path or parts.path.startswith("/"):
        return target
    path = posixpath.normpath(posixpath.join(posixpath.dirname(name), parts.path))
    fragment = f"#{ANCHOR}{parts.fragment}" if parts.fragment else ""
    return f"{ROOT}/{path.removesuffix('.md')}{fragment}"


def _sections(html: str) -> tuple[Section, ...]:
    headings = list(_HEADING.finditer(html))
    ends = [match.start() for match in headings[1:]] + [len(html)]
    return tuple(
        Section(match[2], _plain(match[3]), int(match[1]), _plain(html[match.end() : end]))
        for match, end in zip(headings, ends, strict=True)
    )


def _plain(html: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", _INLINE.sub("", html))).split())
