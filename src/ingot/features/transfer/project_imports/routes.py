"""Endpoints of project imports."""

from contextlib import suppress
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, insert, select

from ingot.access.call import Call
from ingot.access.levels import MAINTAINER
from ingot.access.policy import READ_PROJECT_SIGNED_IN, SIGNED_IN
from ingot.access.subjects import find_project
from ingot.access.tables import projects
from ingot.features.transfer.project_imports import remote
from ingot.features.transfer.project_imports.commands.schedule import ImportOptions, schedule_import, target_namespace
from ingot.features.transfer.project_imports.entities import ImportRecord, RelationImport, import_record
from ingot.features.transfer.project_imports.params import ImportFile, ImportRelation, ImportRemote, ImportS3
from ingot.features.transfer.project_imports.tables import relation_imports
from ingot.instance import application_setting
from ingot.instance.throttling import limit_endpoint
from ingot.kit.blobs import StoreUnavailable
from ingot.kit.clock import now
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import wire
from ingot.kit.errors import Body, Conflict, Failure, Forbidden, TooLarge
from ingot.kit.jobs import enqueue
from ingot.kit.outbound import S3Source
from ingot.kit.params import UploadedFile

routes = Routes("Project import")
MEGABYTE = 1024 * 1024
NOT_GZ = {"message": {"error": "You need to upload a GitLab project export archive (ending in .gz)."}}
HIDDEN = "Ask a maintainer to check the import status for more details."


def _require_source(call: Call) -> None:
    if "gitlab_project" not in (application_setting(call.conn, "import_sources") or []):
        raise Forbidden
    limit_endpoint(call, "project_import", int(application_setting(call.conn, "project_import_limit") or 0))


def _most(conn: Connection) -> int:
    """The largest archive to upload, in bytes; 0 means any."""
    return int(application_setting(conn, "max_import_size") or 0) * MEGABYTE


def _stored(call: Call, file: UploadedFile) -> str:
    """Put the upload into the store; its name must say that it is an archive, its size must be allowed."""
    if not file.filename.lower().endswith(".gz"):
        raise Body(422, NOT_GZ)
    limit = _most(call.conn)
    if limit and file.size > limit:
        raise TooLarge
    key = f"imports/{uuid4().hex}.tar.gz"
    file.file.seek(0)
    call.services.blobs.put_chunks(key, iter(lambda: file.file.read(MEGABYTE), b""))
    return key


def _scheduled(call: Call, space: Any, options: ImportOptions) -> Any:
    options.correlation_id = call.request_id
    try:
        with call.write() as tx:
            project_id = schedule_import(call.services, tx, call.actor, space, options)
            # Read here: a quick worker may have begun before the answer is written.
            return tx.execute(select(projects).where(projects.c.id == project_id)).one()
    except Exception:
        if options.blob_key is not None:  # nothing will ever read it
            with suppress(StoreUnavailable):
                call.services.blobs.delete(options.blob_key)
        raise


def _options(call: Call) -> ImportOptions:
    given = call.params
    return ImportOptions(
        path=given.path,
        name=given.name or None,
        namespace=given.namespace,
        overwrite=given.overwrite,
        override_params=given.override_params or {},
    )


@routes.post(
    "/projects/import", guard=SIGNED_IN, params=ImportFile, returns=ImportRecord, errors=(413, 422), file_limit=_most
)
def import_project_file(call: Call[ImportFile]) -> Answer:
    """Import a project from an uploaded archive, in the background."""
    _require_source(call)
    options = _options(call)
    if not call.params.file.filename.lower().endswith(".gz"):
        raise Body(422, NOT_GZ)
    space = target_namespace(call.conn, call.actor, options.namespace)
    options.blob_key = _stored(call, call.params.file)
    return import_record(call.conn, _scheduled(call, space, options))


@routes.post(
    "/projects/remote-import",
    guard=SIGNED_IN,
    params=ImportRemote,
    returns=ImportRecord,
    flag="import_project_from_remote_file",
)
def import_project_remote(call: Call[ImportRemote]) -> Answer:
    """Import a project from an archive at a URL."""
    _require_source(call)
    options = _options(call)
    space = target_namespace(call.conn, call.actor, options.namespace)
    options.url = remote.checked_url(call.services, call.conn, call.params.url)
    project = _scheduled(call, space, options)
    return import_record(call.conn, project, import_error=None, import_type=project.import_type)


@routes.post("/projects/remote-import-s3", guard=SIGNED_IN, params=ImportS3, returns=ImportRecord)
def import_project_s3(call: Call[ImportS3]) -> Answer:
    """Import a project from an archive in an S3 bucket; the credentials are not kept."""
    _require_source(call)
    given, options = call.params, _options(call)
    _split_path(options)
    for label, value in (
        ("Region", given.region),
        ("Bucket name", given.bucket_name),
        ("File key", given.file_key),
        ("Access key", given.access_key_id),
        ("Secret access key", given.secret_access_key),
    ):
        if not value.strip():
            raise Failure(400, f"{label} can't be blank")
    space = target_namespace(call.conn, call.actor, options.namespace)
    source = S3Source(
        region=given.region,
        bucket=given.bucket_name,
        key=given.file_key,
        access_key_id=given.access_key_id,
        secret_access_key=given.secret_access_key,
        endpoint=call.services.settings.s3_import_endpoint or None,
    )
    options.url = remote.find_in_s3(call.services, call.conn, source).url
    project = _scheduled(call, space, options)
    return import_record(call.conn, project, import_error=None, import_type=project.import_type)


def _split_path(options: ImportOptions) -> None:
    """`path` is the full path here; where a namespace is given too, both must agree."""
    parent, _, last = options.path.strip("/").rpartition("/")
    if not parent:
        return
    if options.namespace and not options.namespace.isdigit() and options.namespace.strip("/").lower() != parent.lower():
        raise Failure(400, "Path and namespace do not agree")
    if options.name is None:
        options.name = last
    options.path, options.namespace = last, options.namespace or parent


@routes.get("/projects/{id}/import", guard=READ_PROJECT_SIGNED_IN, returns=ImportRecord)
def get_project_import(call: Call) -> Answer:
    """Where the import of a project stands."""
    project = call.project
    error = project.import_error if project.import_status == "failed" else None
    if error is not None and not (call.actor.is_admin or project.level >= MAINTAINER):
        error = HIDDEN
    return import_record(call.conn, project, import_type=project.import_type, import_error=error)


@routes.post(
    "/projects/import-relation",
    guard=SIGNED_IN,
    params=ImportRelation,
    returns=RelationImport,
    errors=(409, 413, 422),
    file_limit=_most,
)
def import_project_relation(call: Call[ImportRelation]) -> Answer:
    """Import one relation of an archive into an existing project, skipping what is there."""
    _require_source(call)
    if not call.params.file.filename.lower().endswith(".gz"):
        raise Body(422, NOT_GZ)
    project = find_project(call.conn, call.actor, call.params.path)
    if project is None:
        raise Failure(404, "Project not found")
    if not (call.actor.is_admin or project.level >= MAINTAINER):
        raise Failure(403, "You are not authorized to perform this action")
    table = relation_imports
    busy = select(table.c.id).where(table.c.project_id == project.id, table.c.status.in_(("created", "started")))
    if project.import_status == "started" or call.conn.execute(busy).first() is not None:
        raise Conflict("A relation import is already in progress for this project")
    if project.import_status == "scheduled":
        raise Failure(
            400,
            "Relation import could not be created: Relation import tracker cannot be created for project with ongoing"
            " import",
        )
    key, moment = _stored(call, call.params.file), now()
    with call.write() as tx:
        if tx.execute(busy).first() is not None:
            raise Conflict("A relation import is already in progress for this project")
        created = tx.execute(
            insert(table)
            .values(
                project_id=project.id,
                user_id=call.actor.id,
                relation=call.params.relation,
                status="created",
                blob_key=key,
                correlation_id=call.request_id,
                created_at=moment,
                updated_at=moment,
            )
            .returning(table.c.id)
        ).scalar_one()
        enqueue(
            tx,
            "relation_import",
            key=f"relation-import-{created}",
            args={"relation_import_id": int(created)},
            subject=f"project:{project.id}",
        )
    return RelationImport(id=created, project_path=project.full_path, relation=call.params.relation, status="created")


@routes.get("/projects/{id}/relation-imports", guard=READ_PROJECT_SIGNED_IN, returns=list[RelationImport])
def list_relation_imports(call: Call) -> Answer:
    """Relation imports of a project, oldest first."""
    if not (call.actor.is_admin or call.project.level >= MAINTAINER):
        raise Forbidden("Project")
    table = relation_imports
    rows = call.conn.execute(select(table).where(table.c.project_id == call.project.id).order_by(table.c.id))
    return [
        RelationImport(
            id=row.id,
            project_path=call.project.full_path,
            relation=row.relation,
            status=row.status,
            created_at=wire(row.created_at),
            updated_at=wire(row.updated_at),
        )
        for row in rows
    ]
