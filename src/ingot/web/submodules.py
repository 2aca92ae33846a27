"""Where submodules lead: to a project of this server, or to the address that `.gitmodules` names."""

import base64
import configparser
from collections.abc import Sequence
from posixpath import normpath
from urllib.parse import quote, urlsplit

from ingot.gitstore.model import TreeEntry
from ingot.web.call import PageCall
from ingot.web.filters import foreign

MOST_LINKED = 20  # on a page


def submodule_links(call: PageCall, ref: str, entries: Sequence[TreeEntry]) -> dict[str, str]:
    """Addresses by path; submodules without one that can be opened are left out."""
    if not entries:
        return {}
    addresses = _addresses(call, ref)
    result = {}
    for entry in entries[:MOST_LINKED]:
        link = _link(call, addresses.get(entry.path, ""), entry.id)
        if link:
            result[entry.path] = link
    return result


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


def _link(call: PageCall, address: str, sha: str) -> str:
    """The page of the commit in its project, if it is on this server; else the address itself, if it can be opened."""
    own = call.base_url.rstrip("/")
    if address.startswith(("./", "../")):
        path = normpath(f"/{call.project.full_path}/{address}")
    elif address.startswith(f"{own}/"):
        path = urlsplit(address).path
    else:
        return foreign(address) or ""
    project = call.ask_or_none("/projects/:id", id=path.strip("/").removesuffix(".git"))
    return f"/{quote(project['path_with_namespace'])}/-/tree/{sha}" if project else ""
