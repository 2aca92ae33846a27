"""Release notes of a range of commits."""

from collections.abc import Sequence

from ingot.access.call import Call
from ingot.features.code.repository import commit_url, project_url
from ingot.features.review.changelog.authors import Author, authors_of
from ingot.features.review.changelog.config import read_config
from ingot.features.review.changelog.errors import NO_START, Ungenerated
from ingot.features.review.changelog.origins import origins_of
from ingot.features.review.changelog.params import ChangelogRange
from ingot.features.review.changelog.template import Value, render
from ingot.features.review.changelog.versions import tag_before
from ingot.features.review.merge_requests import READ_MERGE_REQUESTS
from ingot.gitstore import Commit, Repository, listing, log, revisions
from ingot.gitstore.errors import OutputTooLarge
from ingot.gitstore.log import LogQuery
from ingot.kit.clock import now
from ingot.kit.patterns import pattern

MOST = 10_000  # commits of one range
REVERTS = pattern(r"This reverts commit ([0-9a-f]{40})")


def notes_of(call: Call[ChangelogRange], repository: Repository, branch: str) -> str:
    """The section of a version: its title, and the commits by category."""
    options = call.params
    config = read_config(repository, options.config_file_ref or branch, options.config_file)
    commits = _commits(repository, options, branch, config.tag_regex)
    reverted = {sha for commit in commits for sha in REVERTS.findall(commit.message)}
    chosen: dict[str, list[Commit]] = {}
    for commit in reversed(commits):
        category = commit.trailers.get(options.trailer)
        if category and commit.id not in reverted:
            chosen.setdefault(config.categories.get(category, category), []).append(commit)
    entries = _Entries(call, commits, [commit for same in chosen.values() for commit in same], config.include_groups)
    categories = [entries.category(title, same) for title, same in chosen.items()]
    title = f"## {options.version.removeprefix('v')} ({(options.date or now()).strftime(config.date_format)})"
    return f"{title}\n\n{render(config.template, {'categories': categories}).rstrip()}\n"


def _commits(repository: Repository, options: ChangelogRange, branch: str, tags: str) -> list[Commit]:
    """The commits of the range, newest first."""
    end = revisions.find(repository, options.to or branch)
    if end is None:
        raise Ungenerated(f"The commit range is invalid: {options.to or branch} does not exist")
    before = options.from_
    if before is None:
        tag = tag_before((one.name for one in listing.list_tags(repository)), options.version, tags)
        if tag is None:
            raise Ungenerated(NO_START)
        before = f"refs/tags/{tag}"
    start = revisions.find(repository, before)
    if start is None:
        raise Ungenerated(f"The commit range is invalid: {before} does not exist")
    query = LogQuery(include=(end,), exclude=(start,), topological=True, limit=MOST + 1)
    try:
        commits = log.commits(repository, query)
    except OutputTooLarge:
        raise Ungenerated("The messages of the commit range are too long together") from None
    if len(commits) > MOST:
        raise Ungenerated(f"The commit range has more than {MOST} commits")
    return commits


class _Entries:
    """What templates read: commits with their requests and authors."""

    def __init__(self, call: Call, commits: Sequence[Commit], chosen: Sequence[Commit], groups: Sequence[str]) -> None:
        self.call = call
        reads = READ_MERGE_REQUESTS.allows(call.actor, call.project)
        self.origins = origins_of(call.conn, call.project.id, commits) if reads else {}
        self.authors = authors_of(call, {one.author.email.lower() for one in chosen}, groups)

    def category(self, title: str, commits: Sequence[Commit]) -> Value:
        """The entries of a category."""
        entries = [self.entry(commit) for commit in commits]
        return {"title": title, "count": len(entries), "single_change": len(entries) == 1, "entries": entries}

    def entry(self, commit: Commit) -> Value:
        """One commit."""
        project, base_url = self.call.project, self.call.base_url
        links: dict[str, Value] = {
            "reference": f"{project.full_path}@{commit.id}",
            "web_url": commit_url(base_url, project, commit.id),
            "trailers": commit.trailers,
        }
        return {
            "title": commit.title,
            "commit": links,
            "author": _author(self.authors.get(commit.author.email.lower())),
            "merge_request": self.merge_request(self.origins.get(commit.id)),
        }

    def merge_request(self, iid: int | None) -> Value:
        """The request that brought a commit."""
        project = self.call.project
        if iid is None:
            return None
        url = f"{project_url(self.call.base_url, project)}/-/merge_requests/{iid}"
        return {"reference": f"{project.full_path}!{iid}", "web_url": url}


def _author(author: Author | None) -> Value:
    if author is None:
        return None
    return {
        "reference": f"@{author.username}",
        "contributor": author.is_contributor,
        "credit": author.is_contributor or author.is_included,
    }
