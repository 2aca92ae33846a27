"""Links of releases: validation and uniqueness."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from sqlalchemy import ColumnElement, Connection, insert, select, update

from ingot.features.planning.releases.params import CreateLink, NewLink, UpdateLink
from ingot.features.planning.releases.rows import ReleaseLinkRow
from ingot.features.planning.releases.tables import release_links
from ingot.kit.clock import now
from ingot.kit.errors import Failure, Invalid
from ingot.kit.patterns import ALPHANUMERIC, consists_of

SCHEMES = ("http", "https", "ftp")
LONGEST = {"name": 255, "url": 2048}
LONGEST_PATH = 128
MOST_AT_ONCE = 500
TAKEN = "has already been taken"


def create_with_release(tx: Connection, release_id: int, options: Sequence[NewLink]) -> None:
    """Create the links of a new release; the problems of a link are one message."""
    if len(options) > MOST_AT_ONCE:  # each is compared with all before it
        raise Failure(400, f"Validation failed: Links are too many (maximum is {MOST_AT_ONCE})")
    try:
        for link in options:
            create(tx, release_id, link)
    except Invalid as invalid:
        texts = [f"Links {name} {text}" for name, problems in invalid.problems.items() for text in problems]
        raise Failure(400, f"Validation failed: {', '.join(texts)}") from None


def create(tx: Connection, release_id: int, options: NewLink | CreateLink) -> ReleaseLinkRow:
    """A new link of a release."""
    moment = now()
    values = {
        "name": options.name,
        "url": options.url,
        "filepath": options.direct_asset_path or None,
        "link_type": options.link_type,
    }
    _check(tx, release_id, values, None)
    created = insert(release_links).values(release_id=release_id, created_at=moment, updated_at=moment, **values)
    return tx.execute(created.returning(*release_links.c)).one()


def change(tx: Connection, row: ReleaseLinkRow, options: UpdateLink) -> ReleaseLinkRow:
    """Change what was sent; a kind that was not sent becomes `other`."""
    values: dict[str, str | None] = {"link_type": options.link_type}
    if options.name is not None:
        values["name"] = options.name
    if options.url is not None:
        values["url"] = options.url
    if "direct_asset_path" in options.sent:
        values["filepath"] = options.direct_asset_path or None
    _check(tx, row.release_id, values, row.id)
    changed = update(release_links).where(release_links.c.id == row.id).values(**values, updated_at=now())
    return tx.execute(changed.returning(*release_links.c)).one()


def _check(tx: Connection, release_id: int, values: dict[str, str | None], own_id: int | None) -> None:
    problems: dict[str, list[str]] = {}
    for name, longest in LONGEST.items():
        text = values.get(name)
        if text is not None and not text.strip():
            problems[name] = ["can't be blank"]
        elif len(text or "") > longest:
            problems[name] = [f"is too long (maximum is {longest} characters)"]
    url, path = values.get("url"), values.get("filepath")
    if url and "url" not in problems and not is_link_address(url):
        problems["url"] = [f"is blocked: Only allowed schemes are {', '.join(SCHEMES)}"]
    if path and not _is_path(path):
        problems["filepath"] = ["is in an invalid format"]
    for name in ("name", "url", "filepath"):
        if values.get(name) and _is_taken(tx, release_id, release_links.c[name] == values[name], own_id):
            problems.setdefault(name, [TAKEN])
    if problems:
        raise Invalid(problems)


def _is_taken(tx: Connection, release_id: int, same: ColumnElement[bool], own_id: int | None) -> bool:
    others = select(release_links.c.id).where(release_links.c.release_id == release_id, same)
    if own_id is not None:
        others = others.where(release_links.c.id != own_id)
    return tx.execute(others.limit(1)).first() is not None


def is_link_address(url: str) -> bool:
    """Whether a link may lead there."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in SCHEMES and bool(parts.netloc)


def _is_path(path: str) -> bool:
    return (
        path.startswith("/")
        and len(path) <= LONGEST_PATH
        and consists_of(path, f"{ALPHANUMERIC}-._/")
        and path[-1] in ALPHANUMERIC
        and not {"", ".", ".."} & set(path[1:].split("/"))
    )
