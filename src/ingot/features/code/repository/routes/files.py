"""Files: content, metadata in headers, raw bytes, blame."""

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec import Raw

from ingot.access.call import Call
from ingot.access.policy import READ_CODE
from ingot.features.code.lfs_objects import LfsObjectRow
from ingot.features.code.repository.entities import CommitBasic, commit_basic
from ingot.features.code.repository.large_files import pointed_object
from ingot.features.code.repository.opening import default_branch, open_repository
from ingot.features.code.repository.params.files import BlameFile, GetFile, GetRawFile
from ingot.features.code.repository.sending import AT_ONCE, TOO_LARGE, content_type, send_blob, send_large_file
from ingot.features.code.repository.small_files import SmallFiles
from ingot.gitstore import Repository, log, objects, revisions
from ingot.gitstore.blame import BlameRange, Lines, rendered_blame
from ingot.gitstore.errors import CommandFailed
from ingot.gitstore.model import Blob, TreeEntry
from ingot.gitstore.new_objects import POINTER_BYTES
from ingot.gitstore.sizes import LARGEST_SHOWN
from ingot.kit.downloads import attachment
from ingot.kit.endpoint import Answer, Binary, Reply, Routes
from ingot.kit.entity import Entity
from ingot.kit.errors import Failure, NotFound

_small_files = SmallFiles()
_encode = msgspec.json.Encoder().encode
routes = Routes("Repository files", waits=True, scopes=("read_repository",))
MEMBER = "/projects/{id}/repository/files/{file_path}"


class RepositoryFile(Entity):
    """A file with its content."""

    file_name: str
    file_path: str
    size: int
    encoding: str
    content_sha256: str
    ref: str
    blob_id: str
    commit_id: str
    last_commit_id: str
    execute_filemode: bool
    content: str


class BlamePart(Entity):
    """Successive lines that one commit brought."""

    commit: CommitBasic
    lines: list[str]


@routes.get(MEMBER, guard=READ_CODE, params=GetFile, returns=RepositoryFile, cached=True)
def get_file(call: Call[GetFile]) -> Answer:
    """A file with its content, encoded in base64. At most 10 MB; the raw form has no limit."""
    blob, fields = _file(call)
    if blob is None:
        raise Failure(413, TOO_LARGE)
    body = RepositoryFile(**fields, content=base64.b64encode(blob.content).decode())
    return Reply(body, headers=_headers(fields))


@routes.head(MEMBER, guard=READ_CODE, params=GetFile)
def get_file_metadata(call: Call[GetFile]) -> Answer:
    """The metadata of a file in headers."""
    return Reply(headers=_headers(_file(call)[1]))


@routes.get(MEMBER + "/raw", guard=READ_CODE, params=GetRawFile, returns=Binary("text/plain"), cached=True)
def get_raw_file(call: Call[GetRawFile]) -> Answer:
    """The content of a file; with `lfs`, of the object that it points to."""
    repository, sha = _revision(call, call.params.ref)
    key = (repository.path, sha, call.params.file_path, call.params.ref or default_branch(call, repository))
    is_plain = call.request.method == "GET" and not call.params.lfs
    if is_plain and (known := _small_files.find(key)) is not None:
        return known
    entry = _entry(repository, sha, call.params.file_path)
    large = _large_file(call, repository, entry) if call.params.lfs else None
    blob = objects.load_blob(repository, entry, entry.path, AT_ONCE)
    headers = {
        **_headers(_fields(call, repository, sha, entry, blob)),
        "Content-Disposition": attachment(_shown_name(entry.name), inline=True),
    }
    if large is not None:
        return send_large_file(call, large, content_type(entry.name), headers)
    content = None if blob is None else blob.content
    response = send_blob(call, repository, entry.id, content_type(entry.name), headers, content)
    return _small_files.keep(key, response) if is_plain else response


def _large_file(call: Call, repository: Repository, entry: TreeEntry) -> LfsObjectRow | None:
    """The object that the file points to."""
    size = objects.blob_size(repository, entry.id)
    is_short = size is not None and size < POINTER_BYTES
    return pointed_object(call, objects.read_blob(repository, entry.id)) if is_short else None


def _shown_name(name: str) -> str:
    """Some browsers trust `.xhtml` more than the content type, and would show the file as a page."""
    return name.partition(".")[0] if name.endswith(".xhtml") else name


@routes.get(MEMBER + "/blame", guard=READ_CODE, params=BlameFile, returns=list[BlamePart])
def get_file_blame(call: Call[BlameFile]) -> Answer:
    """Who wrote which lines of a file."""
    options = call.params
    repository, sha = _revision(call, options.ref)
    fields = _fields(call, repository, sha, _entry(repository, sha, options.file_path), None)

    def render(parts: list[BlameRange]) -> bytes:
        return _encode(
            [BlamePart(commit_basic(part.commit, call.base_url, call.project), list(part.lines)) for part in parts]
        )

    form = ("as JSON", call.base_url, call.project.row.full_path)
    shared = call.services.shared_cache
    try:
        body = rendered_blame(repository, sha, options.file_path, form, render, lines=_lines(options), shared=shared)
    except CommandFailed:
        body = b"[]"  # the range begins behind the last line
    return Reply(Raw(body), headers=_headers(fields))


def _lines(options: BlameFile) -> Lines:
    """The first and last line that are asked for."""
    first, last = (None, None) if options.range is None else (options.range.start, options.range.end)
    if first is not None and last is not None and (first < 1 or last < first):
        raise Failure(400, "range[end] must be greater than or equal to range[start], and both positive")
    return first, last


@routes.head(MEMBER + "/blame", guard=READ_CODE, params=BlameFile)
def get_file_blame_metadata(call: Call[BlameFile]) -> Answer:
    """The metadata of a blamed file in headers."""
    return Reply(headers=_headers(_file(call)[1]))


def _file(call: Call[GetFile]) -> tuple[Blob | None, dict[str, Any]]:
    """The file and its metadata, unless it is too large to be read at once."""
    repository, sha = _revision(call, call.params.ref)
    entry = _entry(repository, sha, call.params.file_path)
    blob = objects.load_blob(repository, entry, entry.path, LARGEST_SHOWN)
    return blob, _fields(call, repository, sha, entry, blob)


def _revision(call: Call, ref: str | None) -> tuple[Repository, str]:
    repository = open_repository(call)
    name = default_branch(call, repository) if ref in (None, "", "HEAD") else ref
    sha = revisions.find(repository, str(name))
    if sha is None:
        raise NotFound("Commit")
    return repository, sha


def _entry(repository: Repository, sha: str, path: str) -> TreeEntry:
    entry = objects.find_entry(repository, sha, path)
    if entry is None or entry.type != "blob":
        raise NotFound("File")
    return entry


def _fields(
    call: Call[BlameFile | GetFile | GetRawFile], repository: Repository, sha: str, entry: TreeEntry, blob: Blob | None
) -> dict[str, Any]:
    """Metadata of a file; the digest needs the content and is added by callers who have it."""
    size = len(blob.content) if blob is not None else objects.blob_size(repository, entry.id)
    ref = call.params.ref or default_branch(call, repository)
    digest = hashlib.sha256(blob.content).hexdigest() if blob is not None else None
    result = {
        "file_name": entry.name,
        "file_path": entry.path,
        "size": size,
        "encoding": "base64",
        "content_sha256": digest,
        "ref": ref,
        "blob_id": entry.id,
        "commit_id": sha,
        "last_commit_id": log.last_commit_of_path(repository, sha, entry.path) or sha,
        "execute_filemode": entry.mode == "100755",
    }
    return {name: value for name, value in result.items() if value is not None}


def _headers(fields: Mapping[str, object]) -> dict[str, str]:
    """`X-Gitlab-*`: header values are latin-1 on the wire, other characters travel percent-encoded."""
    return {_header(name): _value(value) for name, value in fields.items()}


@cache
def _header(name: str) -> str:
    return f"X-Gitlab-{name.replace('_', '-').title()}"


def _value(value: object) -> str:
    text = ("true" if value else "false") if isinstance(value, bool) else str(value)
    return text if text.isascii() and text.isprintable() else quote(text, safe="/ ")
