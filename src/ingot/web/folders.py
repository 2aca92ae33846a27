"""What pages show of a folder: its entries with their last commits, its README, and the revisions to switch to."""

import base64
from posixpath import normpath
from typing import TypedDict

from ingot.features.spaces.projects import repository_of
from ingot.gitstore.errors import PathNotFound
from ingot.gitstore.model import TreeEntry
from ingot.gitstore.objects import find_entry, list_tree
from ingot.gitstore.readmes import find_readme
from ingot.kit.errors import NotFound
from ingot.web.answers import Commit
from ingot.web.call import PageCall, Rows
from ingot.web.guards import can_push
from ingot.web.last_commits import last_commits
from ingot.web.markdown import markdown
from ingot.web.revisions import branch_behind_tag
from ingot.web.sending import page_number
from ingot.web.submodules import submodule_links

MARKDOWN = (".md", ".markdown", ".mdown")
A_PAGE = 1000  # entries
SYMLINK = "120000"
OFFERED_BRANCHES, OFFERED_TAGS = 100, 20
WIDE = (b"\xff\xfe", b"\xfe\xff")  # marks at the beginning of texts in UTF-16


class NamedCommit(TypedDict):
    """A branch or tag."""

    name: str
    commit: Commit | None


class RefChoices(TypedDict):
    """What a picker of revisions offers."""

    branches: list[NamedCommit]
    tags: list[NamedCommit]
    tag_names: list[str]
    counts: dict[str, int | None]


def shown_folder(call: PageCall, ref: str, path: str, commit: Commit) -> dict[str, object]:
    """A folder at a revision, with the commit that changed it last."""
    try:
        listed = list_tree(repository_of(call.services, call.project), commit["id"], path)
    except PathNotFound:
        raise NotFound("Tree") from None
    page = page_number(call)
    shown = listed[(page - 1) * A_PAGE : page * A_PAGE]
    wanted = ["", *(entry.name for entry in shown)]
    latest, is_walking = last_commits(call, commit["id"], path, [entry.name for entry in listed], wanted)
    links = submodule_links(call, ref, [entry for entry in shown if entry.type == "commit"])
    entries = [
        {
            "name": entry.name, "path": entry.path, "type": entry.type, "mode": entry.mode, "id": entry.id,
            "latest": latest.get(entry.name), "link": links.get(entry.path),
        }
        for entry in shown
    ]  # fmt: skip
    pages = -(-len(listed) // A_PAGE)
    rows = Rows([], page, page + 1 if page < pages else None, page - 1 or None, len(listed), pages)
    readme = find_readme(listed)
    return {
        "ref": ref, "folder": path, "crumbs": crumbs_of(path), "rows": rows, "entries": entries, "readme": readme,
        "is_walking": is_walking and not all(entry["latest"] for entry in entries),
        "commit": _changed_by(call, commit, latest.get("")) if path else commit,
        "can_write": can_push(call), "twin": branch_behind_tag(call, ref),
        **_read(call, commit["id"], ref, readme),
        **ref_choices(call),
    }  # fmt: skip


def _read(call: PageCall, sha: str, ref: str, readme: TreeEntry | None) -> dict[str, object]:
    """The text of a README, which may be a link to one."""
    path = readme.path if readme else ""
    content = _content(call, sha, path)
    if readme is not None and readme.mode == SYMLINK and content is not None:
        link = link_target(call, sha, path, content)
        path = link["path"] if link and link["kind"] == "blob" else ""
        content = _content(call, sha, path)
    text = as_text(content) if content else None
    if not text or not path.lower().endswith(MARKDOWN):
        return {"readme_html": None, "readme_text": text}
    folder = path.rpartition("/")[0]
    return {"readme_html": markdown(call, text, ref=ref, folder=folder), "readme_text": None}


def _content(call: PageCall, sha: str, path: str) -> bytes | None:
    file = call.ask_or_none("/projects/:id/repository/files/:file_path", file_path=path, ref=sha) if path else None
    return base64.b64decode(file["content"]) if file else None


def _changed_by(call: PageCall, tip: Commit, newest: dict[str, str] | None) -> Commit | None:
    """The commit that changed the folder last, if it is known."""
    if newest is None:
        return None
    if newest["sha"] == tip["id"]:
        return tip
    result: Commit = call.ask("/projects/:id/repository/commits/:sha", sha=newest["sha"], stats=False)
    return result


def link_target(call: PageCall, sha: str, path: str, content: bytes) -> dict[str, str] | None:
    """Where a symbolic link leads, with the kind of page that is there; None for files that are none."""
    repository = repository_of(call.services, call.project)
    entry = find_entry(repository, sha, path)
    if entry is None or entry.mode != SYMLINK:
        return None
    named = content.decode("utf-8", "replace")
    target = normpath(f"{path.rpartition('/')[0]}/{named}".lstrip("/"))
    if not named or named.startswith("/") or target == ".." or target.startswith("../"):
        return {"named": named, "path": "", "kind": ""}
    if target == ".":  # the folder of all others
        return {"named": named, "path": "", "kind": "tree"}
    there = find_entry(repository, sha, target)
    return {"named": named, "path": target, "kind": there.type if there and there.type in ("blob", "tree") else ""}


def ref_choices(call: PageCall, columns: tuple[str, ...] = ("name",)) -> RefChoices:
    """What the picker of revisions offers, and how many there are; the lists of both have the others."""
    branches = call.ask_rows("/projects/:id/repository/branches", columns, page="1", per_page=str(OFFERED_BRANCHES))
    tags = call.ask_rows("/projects/:id/repository/tags", columns, page="1", per_page=str(OFFERED_TAGS))
    return {
        "branches": branches.items, "tags": tags.items, "tag_names": [row["name"] for row in tags.items],
        "counts": {"branches": branches.total, "tags": tags.total},
    }  # fmt: skip


def crumbs_of(path: str) -> list[dict[str, str]]:
    """The folders above a path, and itself."""
    parts = path.split("/") if path else []
    return [{"name": part, "path": "/".join(parts[: place + 1])} for place, part in enumerate(parts)]


def as_text(content: bytes) -> str | None:
    """The content as text, or None for binary content."""
    if content.startswith(WIDE):
        try:
            return content.decode("utf-16")
        except UnicodeDecodeError:
            return None
    if b"\0" in content[:8000]:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return content.decode("latin-1")


def is_plain_text(content: bytes) -> bool:
    """A form can show the text and send it back as it was: in UTF-8."""
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True
