"""Titles, slugs and paths of pages, and what is wrong with them."""

from pathlib import PurePosixPath

# The first ending of a format is that of new pages.
ENDINGS = {
    "markdown": (".md", ".markdown", ".mdown", ".mkd", ".mkdn"),
    "rdoc": (".rdoc",),
    "asciidoc": (".asciidoc", ".adoc", ".ad"),
    "org": (".org",),
}
FORMATS = tuple(ENDINGS)
_FORMAT_OF = {ending: name for name, endings in ENDINGS.items() for ending in endings}
ALL_ENDINGS = tuple(_FORMAT_OF)
ATTACHMENTS = "uploads"
LONGEST_TITLE = 245
LONGEST_FOLDER = 255
LONGEST_SLUG = 1024


def format_of(path: str) -> str | None:
    """The format of a page at this path; None for files that are no pages."""
    if path.startswith(f"{ATTACHMENTS}/"):
        return None
    file = PurePosixPath(path)
    return _FORMAT_OF.get(file.suffix.lower()) if file.stem else None


def slug_of(path: str) -> str:
    """What addresses name a page by: its path without the ending."""
    return path.removesuffix(PurePosixPath(path).suffix).replace(" ", "-")


def title_of(path: str) -> str:
    """What people call a page: its file name."""
    return PurePosixPath(path).stem.replace("-", " ")


def path_of(title: str, page_format: str) -> str:
    """Where a page of this title is kept; the parts of the title are its folders."""
    parts = [part.strip() for part in title.strip().split("/")]
    return "/".join(part for part in parts if part).replace(" ", "-") + ENDINGS[page_format][0]


def moved_title(title: str, slug: str) -> str:
    """The whole title of a page that is renamed: it stays in its folder, unless the title begins with another."""
    folder = slug.rpartition("/")[0]
    return title if "/" in title.strip() or not folder else f"{folder}/{title}"


def title_problems(title: str) -> list[str]:
    """What is wrong with the title of a page."""
    parts = [part.strip() for part in title.split("/") if part.strip()]
    if not parts:
        return ["can't be blank"]
    if any(_is_unsafe(part) for part in parts) or parts[0] == ATTACHMENTS:
        return ["is invalid"]
    long_folders = [folder for folder in parts[:-1] if len(folder.encode()) > LONGEST_FOLDER]
    problems = [f'exceeds the limit of {LONGEST_FOLDER} bytes for directory name "{folder}"' for folder in long_folders]
    if len(parts[-1].encode()) > LONGEST_TITLE:
        problems.append(f"exceeds the limit of {LONGEST_TITLE} bytes")
    if not problems and len("/".join(parts).encode()) > LONGEST_SLUG:
        problems.append(f"exceeds the limit of {LONGEST_SLUG} bytes with its directories")
    return problems


def _is_unsafe(part: str) -> bool:
    """It would lead out of the repository, hide in it, or damage a checkout."""
    if part in (".", "..") or part.lower() == ".git" or "\\" in part or not part.isprintable():
        return True
    try:
        part.encode()
    except UnicodeEncodeError:
        return True
    return False
