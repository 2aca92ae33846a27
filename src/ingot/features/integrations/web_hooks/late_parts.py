"""Parts of a payload that are added when it is sent: commits, which only git knows, and values that are sealed.

A commit never changes, so it is the same whenever it is read; one that is gone by then is left empty.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import select

from ingot.access.rows import ProjectRow
from ingot.access.tables import projects
from ingot.features.ci.engine import given_to_pipeline
from ingot.features.code.wikis import wiki_of_project
from ingot.features.integrations.web_hooks.pictures import absolute_pictures
from ingot.features.spaces.projects import repository_of
from ingot.gitstore import Commit, GitError, Repository, log, objects, refs, revisions
from ingot.gitstore.listing import find_tag, tag_message
from ingot.gitstore.log import LogQuery
from ingot.kit.services import Services

Payload = dict[str, object]
SHOWN_COMMITS = 20
MOST_CONTENT = 5 << 20  # bytes of a wiki page


def complete(services: Services, payload: Payload, parts: Sequence[Mapping[str, object]], mark: str) -> Payload:
    """The payload with its late parts."""
    for part in parts:
        value = _read(services, part, f"base:{mark}")
        place: object = payload
        *path, last = [str(name) for name in _list(part["at"])] or [""]
        for name in path:
            place = place.get(name) if isinstance(place, dict) else None
        if isinstance(place, dict):
            if last:
                place[last] = value
            elif isinstance(value, dict):
                place.update(value)
    return payload


def addressed(payload: Payload, mark: str, base_url: str) -> Payload:
    """The payload with the instance's address wherever its mark stands for it."""
    host = urlsplit(base_url).hostname or ""
    text = msgspec.json.encode(payload).decode()
    result: Payload = msgspec.json.decode(text.replace(f"base:{mark}", base_url).replace(f"host-{mark}", host))
    return result


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _read(services: Services, part: Mapping[str, object], base_url: str) -> object:
    with services.db.read() as conn:
        if part["kind"] == "variables":
            given = given_to_pipeline(services, conn, int(str(part["pipeline_id"])))
            return [{"key": one.key, "value": one.value} for one in given]
        project = conn.execute(select(projects).where(projects.c.id == part["project_id"])).one_or_none()
    if project is None:
        return None
    url = f"{base_url}/{project.full_path}"
    if part["kind"] == "wiki_page":
        return _wiki_page(services, project, str(part["sha"]), str(part["blob_id"]), url)
    try:
        repository = repository_of(services, project)
        if part["kind"] == "push":
            return _push(repository, project, part, url)
        commit = objects.get_commit(repository, str(part["sha"]))
    except GitError:
        return None
    return commit.title if part["kind"] == "commit_title" else commit_block(commit, url)


def _wiki_page(services: Services, project: ProjectRow, sha: str, blob_id: str, url: str) -> Payload:
    """The message of the commit, and the content of the page with whole addresses of its pictures."""
    repository = wiki_of_project(services, project).repository
    result: Payload = {}
    try:
        result["message"] = objects.get_commit(repository, sha).message
        content = objects.read_blob(repository, blob_id, MOST_CONTENT).decode("utf-8", "replace") if blob_id else ""
        result["content"] = absolute_pictures(content, url)
    except GitError:  # gone since, or too large to be sent
        pass
    return result


class CommitFacts(NamedTuple):
    """What payloads show of a commit."""

    id: str
    message: str
    title: str
    when: datetime
    author_name: str
    author_email: str


def commit_facts_block(facts: CommitFacts, project_url: str) -> Payload:
    """A commit as payloads show it."""
    return {
        "id": facts.id,
        "message": facts.message,
        "title": facts.title,
        "timestamp": facts.when.isoformat(timespec="seconds"),
        "url": f"{project_url}/-/commit/{facts.id}",
        "author": {"name": facts.author_name, "email": facts.author_email},
    }


def commit_block(commit: Commit, project_url: str) -> Payload:
    """A commit that was read from git."""
    author, when = commit.author, commit.committer.when
    facts = CommitFacts(commit.id, commit.message, commit.title, when, author.name, author.email)
    return commit_facts_block(facts, project_url)


def _push(repository: Repository, project: ProjectRow, part: Mapping[str, object], url: str) -> Payload:
    """The commits of a push: the newest twenty, oldest first, and how many there are."""
    old, new, ref = str(part["old"]), str(part["new"]), str(part["ref"])
    if set(new) == {"0"}:
        return {"checkout_sha": None, "commits": [], "total_commits_count": 0}
    if ref.startswith("refs/tags/"):
        return _tag(repository, ref.removeprefix("refs/tags/"), new, url)
    exclude = [old]
    if set(old) == {"0"} or repository.find_object(old) is None:
        is_first = ref == f"refs/heads/{project.default_branch}"
        tip = None if is_first else refs.find_branch(repository, project.default_branch or "")
        exclude = [tip] if tip else []
    query = LogQuery(include=[new], exclude=exclude, limit=SHOWN_COMMITS)
    shown = list(reversed(log.commits(repository, query)))
    total = len(shown)
    if total == SHOWN_COMMITS:
        total = log.count(repository, LogQuery(include=[new], exclude=exclude))
    return {"checkout_sha": new, "commits": _with_files(repository, shown, url), "total_commits_count": total}


def _tag(repository: Repository, name: str, new: str, url: str) -> Payload:
    commit = objects.get_commit(repository, revisions.resolve(repository, new))
    tag = find_tag(repository, name)
    return {
        "checkout_sha": commit.id,
        "message": (tag_message(repository, tag) or None) if tag is not None else None,
        "commits": _with_files(repository, [commit], url),
        "total_commits_count": 1,
    }


def _with_files(repository: Repository, commits: Sequence[Commit], url: str) -> list[Payload]:
    touched = log.touched_files(repository, [commit.id for commit in commits])
    return [{**commit_block(commit, url), **_files(touched[commit.id])} for commit in commits]


def _files(touched: Sequence[tuple[str, str]]) -> Payload:
    return {
        "added": [path for letter, path in touched if letter in "ARC"],
        "modified": [path for letter, path in touched if letter in "MT"],
        "removed": [path for letter, path in touched if letter == "D"],
    }
