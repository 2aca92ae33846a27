"""Writing pages and attachments. Each write is a commit of the caller."""

import secrets
from collections.abc import Callable

from ingot.access.call import Call
from ingot.features.code.repository import caller
from ingot.features.code.wikis.following import begin_write, follow
from ingot.features.code.wikis.names import ATTACHMENTS, moved_title, path_of, title_problems
from ingot.features.code.wikis.params import CreateWikiPage, UpdateWikiPage
from ingot.features.code.wikis.reading import WikiPage, find_page, get_page
from ingot.features.code.wikis.wiki import Wiki, make_repository
from ingot.gitstore import Person, log, objects, refs
from ingot.gitstore.commit import CommitOptions, FileAction, prepare_commit
from ingot.gitstore.errors import CommitRefused, InvalidRefName, RefChanged
from ingot.gitstore.model import ZERO_ID
from ingot.gitstore.refs import RefUpdate
from ingot.instance import application_setting
from ingot.kit.errors import Conflict, Failure, Invalid
from ingot.kit.params import UploadedFile
from ingot.kit.spool import PIECE, Spool
from ingot.kit.upload_names import safe_filename

ATTEMPTS = 5
# Made under the repository's lock from the newest commit; returns the changes of files and the commit's message.
Plan = Callable[[str | None], tuple[FileAction, str]]


def create_page(call: Call[CreateWikiPage], wiki: Wiki) -> str:
    """Add a page; returns its slug."""
    options = call.params
    _check(call, options.title, options.content)
    page = WikiPage(path_of(options.title, options.format), "")

    def plan(head: str | None) -> tuple[FileAction, str]:
        _require_free(wiki, head, page.slug)
        return FileAction("create", page.path, options.content), f"created page: {page.title}"

    _write(call, wiki, plan)
    return page.slug


def update_page(call: Call[UpdateWikiPage], wiki: Wiki) -> str:
    """Change or move a page; returns its slug."""
    options = call.params
    title = options.title if "title" in options.sent else None
    content = options.content if "content" in options.sent else None
    _check(call, title, content)
    slug = ""

    def plan(head: str | None) -> tuple[FileAction, str]:
        nonlocal slug
        page, _ = get_page(wiki.repository, head, options.slug)
        path = path_of(_stem(page.path) if title is None else moved_title(title, page.slug), options.format)
        target = WikiPage(path, "")
        slug = target.slug
        if target.slug != page.slug:
            _require_free(wiki, head, target.slug)
        return FileAction("move", path, content, previous_path=page.path), f"updated page: {target.title}"

    _write(call, wiki, plan)
    return slug


def delete_page(call: Call, wiki: Wiki, slug: str) -> None:
    """Remove a page."""

    def plan(head: str | None) -> tuple[FileAction, str]:
        page, present = get_page(wiki.repository, head, slug)
        if call.is_conditional:
            sha = log.last_commit_of_path(wiki.repository, present, page.path) or present
            call.require_unmodified(objects.get_commit(wiki.repository, sha).committer.when)
        return FileAction("delete", page.path), f"deleted page: {page.title}"

    _write(call, wiki, plan)


def attach_file(call: Call, wiki: Wiki, file: UploadedFile, branch: str | None) -> tuple[str, str, str]:
    """Commit a file; returns its name, its path and the branch."""
    name = safe_filename(file.filename)
    path = f"{ATTACHMENTS}/{secrets.token_hex(16)}/{name}"
    content = Spool()
    file.file.seek(0)
    while piece := file.file.read(PIECE):
        content.write(piece)

    def plan(_: str | None) -> tuple[FileAction, str]:
        return FileAction("create", path, content), f"Upload attachment {name}"

    return name, path, _write(call, wiki, plan, branch, says_who=False)


def _stem(path: str) -> str:
    """The path without its ending, as a title that leads to the same folder."""
    return "/" + path[: path.rindex(".")]


def _check(call: Call, title: str | None, content: str | None) -> None:
    problems = {"title": title_problems(title)} if title is not None else {}
    if content is not None:
        problems["content"] = _content_problems(call, content)
    problems = {name: texts for name, texts in problems.items() if texts}
    if problems:
        raise Invalid(problems)


def _content_problems(call: Call, content: str) -> list[str]:
    if not content.strip():
        return ["can't be blank"]
    largest = int(application_setting(call.conn, "wiki_page_max_content_bytes"))
    size = len(content.encode("utf-8", "surrogatepass"))
    if size > largest:
        return [f"is too long ({_megabytes(size)}). The maximum size is {_megabytes(largest)}."]
    return []


def _megabytes(size: int) -> str:
    return f"{size} Bytes" if size < 1 << 20 else f"{size / (1 << 20):.3g} MiB"


def _require_free(wiki: Wiki, head: str | None, slug: str) -> None:
    other = find_page(wiki.repository, head, slug) if head is not None else None
    if other is not None:
        text = f"Duplicate page: A page with that title already exists in the file /{other.path}"
        raise Invalid({"base": [text]})


def _write(call: Call, wiki: Wiki, plan: Plan, branch: str | None = None, *, says_who: bool = True) -> str:
    """Commit what the plan says, and record what follows from it; returns the branch."""
    author = caller(call)
    default = str(application_setting(call.conn, "default_branch_name") or "main")
    call.close()  # git may take its time
    make_repository(wiki, default)
    for _ in range(ATTEMPTS):
        with wiki.repository.lock():
            try:
                return _attempt(call, wiki, plan, branch, author, says_who=says_who)
            except RefChanged:
                continue  # a push moved the branch, because pushes do not take our lock
    raise Conflict("The wiki was changed in the meantime. Please try again.")


def _attempt(call: Call, wiki: Wiki, plan: Plan, branch: str | None, author: Person, *, says_who: bool) -> str:
    shown = wiki.repository.default_branch()
    branch = branch or shown
    action, message = plan(wiki.head)
    message = f"{author.name} {message}" if says_who else message
    try:
        created = prepare_commit(wiki.repository, CommitOptions(branch, message, [action], author))
    except (CommitRefused, InvalidRefName) as refused:
        raise Failure(400, refused.message) from refused
    if branch == shown:
        with call.write() as tx:
            begin_write(tx, wiki, call.actor.user_id, wiki.head)
    refs.update(wiki.repository, [RefUpdate(created.ref, created.sha, created.old)])
    if branch == shown:
        old = None if created.old == ZERO_ID else created.old
        follow(call.services, wiki, call.actor.user_id, old, created.sha)
    return branch
