"""Storing what a job uploads: first the object, then the row, so that nothing half-uploaded can be downloaded."""

import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any

from sqlalchemy import Connection, insert, select, update

from ingot.access.call import Call
from ingot.features.ci.engine import EXECUTING, ci_jobs, get_plan
from ingot.features.ci.files import DotenvRefused
from ingot.features.ci.job_artifacts.contents import Contents, read_contents
from ingot.features.ci.job_artifacts.limits import expiry, max_size
from ingot.features.ci.job_artifacts.rows import UploadingJob, UploadOptions
from ingot.features.ci.job_artifacts.upload import Upload
from ingot.features.ci.job_artifacts.uploading import IncomingFile
from ingot.features.ci.job_outputs import ACCESSIBILITY, DEFAULT_FILE_NAMES, FORMATS, job_artifacts, record_junit
from ingot.features.spaces.projects import change_size
from ingot.kit.blobs import BlobTooLarge, StoreUnavailable
from ingot.kit.clock import now
from ingot.kit.errors import Failure, Forbidden, ParamError
from ingot.kit.services import Services

ENDINGS = {"zip": ".zip", "gzip": ".gz", "raw": ""}


class AlreadyThere(Failure):
    """The job has another artifact of this type."""

    def __init__(self) -> None:
        super().__init__(400, "another artifact of the same type already exists")


# Fields of the body so far, and whether these are all.
Check = Callable[[dict[str, str], bool], Upload]


def check_upload(conn: Connection, job: UploadingJob, options: UploadOptions) -> Upload:
    """Type and format must belong together; the job's configuration says who may download it."""
    if FORMATS.get(options.artifact_type) != options.artifact_format:
        raise Failure(400, "Validation failed: Invalid file format with specified file type")
    plan = get_plan(conn, job.id)
    planned = plan.artifacts if plan is not None else None
    access = ACCESSIBILITY[planned.access] if planned is not None else "public"
    if access == "public" and options.accessibility is not None:
        access = options.accessibility
    return Upload(
        job_id=job.id,
        project_id=job.project_id,
        pipeline_id=job.pipeline_id,
        job_name=job.name,
        file_type=options.artifact_type,
        file_format=options.artifact_format,
        accessibility=access,
        expire_at=expiry(conn, options.expire_in),
        limit=max_size(conn, job.project_id, options.artifact_type) or None,
    )


async def store_upload(call: Call, check: Check) -> None:
    """Stream the body's file into the store, read what it holds, and write its row.

    The token and options may be in the query, in headers, or in fields before or after the file: `check` is called when
    the file begins and, where more fields or the token follow, again when the body has ended.
    """
    file = IncomingFile(call.request)
    pieces = aiter(file)
    first = await anext(pieces, b"")
    known = file.fields
    upload = await call.run(check, known, file.ended)
    if not file.has_file:
        raise ParamError("file is missing")
    folder = f"artifacts/{upload.project_id}/{upload.job_id}/{secrets.token_hex(8)}"
    key = f"{folder}/{upload.file_type}"
    blobs = call.services.blobs
    stored = False
    try:
        await blobs.put_stream(
            key,
            _joined(first, pieces),
            limit=upload.limit,
            content_type="application/octet-stream",
            filename=_file_name(upload, file.filename),
        )
        if file.fields != known or not upload.is_proven:
            upload = await call.run(check, file.fields, True)
            if upload.limit is not None and file.size > upload.limit:
                raise BlobTooLarge(upload.limit)
        stored = await call.run_with_store(_finish, call.services, upload, file, key)
    except BlobTooLarge:
        raise Failure(413, "file size has reached maximum size limit") from None
    finally:
        if not stored:
            # An unreachable store has nothing new, or the daily sweep removes it.
            with suppress(StoreUnavailable):
                await call.run_with_store(blobs.delete_prefix, folder)


async def _joined(first: bytes, rest: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for piece in rest:
        yield piece


def _finish(services: Services, upload: Upload, file: IncomingFile, key: str) -> bool:
    """Whether the object and those that are made from it are in use now."""
    folder = key.rpartition("/")[0]
    with services.db.read() as conn:
        if _is_repeated(conn, upload, file.sha256):
            return False
        try:
            contents = read_contents(services, conn, upload, key, file.size)
        except DotenvRefused as refusal:
            raise Failure(400, str(refusal)) from None
    keys = _store_derived(services, contents, folder)
    with services.db.write() as tx:
        job = tx.execute(select(ci_jobs).where(ci_jobs.c.id == upload.job_id).with_for_update()).one_or_none()
        if job is None or job.status not in EXECUTING or job.erased_at is not None:
            raise Forbidden("Job is not processing on runner")
        if _is_repeated(tx, upload, file.sha256):
            return False
        _insert(tx, upload, file, contents, {"file": key, **keys})
        if contents.suite is not None:
            record_junit(tx, job, contents.suite)
    return True


def _is_repeated(conn: Connection, upload: Upload, sha256: str) -> bool:
    """Uploading the same file again changes nothing; another file of the type is refused."""
    known = conn.execute(
        select(job_artifacts.c.sha256).where(
            job_artifacts.c.job_id == upload.job_id, job_artifacts.c.file_type == upload.file_type
        )
    ).one_or_none()
    if known is not None and known.sha256 != sha256:
        raise AlreadyThere
    return known is not None


def _store_derived(services: Services, contents: Contents, folder: str) -> dict[str, str]:
    keys = {}
    if contents.index is not None and contents.metadata is not None:
        keys = {"index": f"{folder}/index", "metadata": f"{folder}/metadata.gz"}
        services.blobs.put(keys["index"], contents.index)
        services.blobs.put(keys["metadata"], contents.metadata)
    return keys


def _insert(tx: Connection, upload: Upload, file: IncomingFile, contents: Contents, keys: dict[str, str]) -> None:
    moment = now()
    shared: dict[str, Any] = {
        "project_id": upload.project_id,
        "pipeline_id": upload.pipeline_id,
        "job_id": upload.job_id,
        "accessibility": upload.accessibility,
        "expire_at": upload.expire_at,
        "created_at": moment,
    }
    rows: list[dict[str, Any]] = [
        {
            **shared,
            "file_type": upload.file_type,
            "file_format": upload.file_format,
            "filename": _file_name(upload, file.filename),
            "size": file.size,
            "blob_key": keys["file"],
            "index_key": keys.get("index"),
            "sha256": file.sha256,
        }
    ]
    if contents.metadata is not None:
        rows.append(
            {
                **shared,
                "file_type": "metadata",
                "file_format": "gzip",
                "filename": "metadata.gz",
                "size": len(contents.metadata),
                "blob_key": keys["metadata"],
                "index_key": None,
                "sha256": None,
            }
        )
    tx.execute(insert(job_artifacts), rows)
    change_size(tx, upload.project_id, "job_artifacts_size", sum(row["size"] for row in rows))
    values: dict[str, Any] = {"artifacts_expire_at": upload.expire_at, "updated_at": moment}
    if contents.variables is not None:
        values["dotenv"] = contents.variables
    tx.execute(update(ci_jobs).where(ci_jobs.c.id == upload.job_id).values(**values))


def _file_name(upload: Upload, sent: str) -> str:
    """The base name that was sent, without control characters; the type's own name where none was."""
    name = PurePosixPath(sent.replace("\\", "/")).name
    name = "".join(char for char in name if char.isprintable())
    return name[-255:] or DEFAULT_FILE_NAMES[upload.file_type] + ENDINGS[upload.file_format]
