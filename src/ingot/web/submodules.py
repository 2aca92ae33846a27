"""Where submodules lead: to a project of this server, or to the address that `.gitmodules` names."""

import base64
import configparser
from collections.abc import Iterable, Sequence
from posixpath import normpath
from urllib.parse import quote, urlsplit

from sqlalchemy import select

from ingot.access.tables import projects
from ingot.access.visibility import visible_projects
from ingot.gitstore.model import TreeEntry
from ingot.web.call import PageCall
from ingot.web.filters import foreign

MOST_LINKED = 20  # on a page


def submodule_links(call: PageCall, ref: str, entries: Sequence[TreeEntry]) -> dict[str, str]:
    """Addresses by path; submodules without one that can be opened are left out."""
    if not entries:
        return {}
    addresses, shown = _addresses(call, ref), entries[:MOST_LINKED]
    here = {entry.path: _path_here(call, addresses.get(entry.path, "")) for entry in shown}
    projects_here = _visible(call, here.values())
    result = {}
    for entry in shown:
        path = here[entry.path]
        if path is None:
            result[entry.path] = foreign(addresses.get(entry.path))
        elif path in projects_here:
            result[entry.path] = f"/{quote(projects_here[path])}/-/tree/{entry.id}"
    return {path: link for path, link in result.items() if link}


def _addresses(call: PageCall, ref: str) -> dict[str, str]:
    """What `.gitmodules` says, by path."""
    file = call.ask_or_none("/projects/:id/repository/files/:file_path", file_path=".gitmodules", ref=ref)
    if file is None:
        return {}
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string("\n".join(line.strip() for line in base64.b64decode(file["content"]).decode().splitlines()))
    except (configparser.Error, UnicodeDecodeError):
        return {}
    parts = [parser[name] for name in parser.sections()]
    return {part["path"]: part["url"] for part in parts if "path" in part and "url" in part}


def _path_here(call: PageCall, address: str) -> str | None:
    """The path of the project, in small letters, if the address is one of this server."""
    own = call.base_url.rstrip("/")
    if address.startswith(("./", "../")):
        path = normpath(f"/{call.project.full_path}/{address}")
    elif address.startswith(f"{own}/"):
        path = urlsplit(address).path
    else:
        return None
    return path.strip("/").removesuffix(".git").lower()


def _visible(call: PageCall, paths: Iterable[str | None]) -> dict[str, str]:
    """The paths of those projects that the visitor may know of, by the given ones; one statement for all."""
    asked = [path for path in paths if path and path.isprintable()]
    query = select(projects.c.full_path).where(projects.c.full_path_lower.in_(asked), visible_projects(call.actor))
    return {path.lower(): path for path in call.conn.execute(query).scalars()} if asked else {}
