"""Endpoints of project imports."""

from sqlalchemy import select

from ingot.access.call import Call
from ingot.access.policy import ADMIN_PROJECT, READ_PROJECT_SIGNED_IN, SIGNED_IN
from ingot.access.subjects import find_project
from ingot.features.transfer.project_imports import remote
from ingot.features.transfer.project_imports.commands.receive import (
    largest_archive,
    require_archive_name,
    start_import,
    store_archive,
)
from ingot.features.transfer.project_imports.commands.schedule import ImportOptions, target_namespace
from ingot.features.transfer.project_imports.commands.schedule_relation import require_idle, schedule_relation_import
from ingot.features.transfer.project_imports.entities import ImportRecord, RelationImport, import_record
from ingot.features.transfer.project_imports.params import ImportFile, ImportRelation, ImportRemote, ImportS3, Target
from ingot.features.transfer.project_imports.tables import relation_imports
from ingot.instance import application_setting
from ingot.instance.throttling import limit_endpoint
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import wire
from ingot.kit.errors import Failure, Forbidden
from ingot.kit.outbound import S3Source

routes = Routes("Project import")
HIDDEN = "Ask a maintainer to check the import status for more details."


def _require_source(call: Call) -> None:
    if "gitlab_project" not in (application_setting(call.conn, "import_sources") or []):
        raise Forbidden
    limit_endpoint(call, "project_import", int(application_setting(call.conn, "project_import_limit") or 0))


def _options(call: Call[Target]) -> ImportOptions:
    given = call.params
    return ImportOptions(
        path=given.path,
        name=given.name or None,
        namespace=given.namespace,
        overwrite=given.overwrite,
        override_params=given.override_params or {},
        correlation_id=call.request_id,
    )


@routes.post(
    "/projects/import",
    guard=SIGNED_IN,
    params=ImportFile,
    returns=ImportRecord,
    errors=(413, 422),
    file_limit=largest_archive,
)
def import_project_file(call: Call[ImportFile]) -> Answer:
    """Import a project from an uploaded archive, in the background."""
    _require_source(call)
    options = _options(call)
    require_archive_name(call.params.file)
    space = target_namespace(call.conn, call.actor, options.namespace)
    options.blob_key = store_archive(call.services, call.conn, call.params.file)
    return import_record(call.conn, start_import(call.services, call.actor, space, options))


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
    project = start_import(call.services, call.actor, space, options)
    return import_record(call.conn, project, import_error=None, import_type=project.import_type)


@routes.post("/projects/remote-import-s3", guard=SIGNED_IN, params=ImportS3, returns=ImportRecord)
def import_project_s3(call: Call[ImportS3]) -> Answer:
    """Import a project from an archive in an S3 bucket; the credentials are not kept."""
    _require_source(call)
    given, options = call.params, _options(call)
    _split_path(options)
    _require_values(given)
    space = target_namespace(call.conn, call.actor, options.namespace)
    options.url = remote.find_in_s3(call.services, call.conn, _source(call)).url
    project = start_import(call.services, call.actor, space, options)
    return import_record(call.conn, project, import_error=None, import_type=project.import_type)


def _require_values(given: ImportS3) -> None:
    for label, value in (
        ("Region", given.region),
        ("Bucket name", given.bucket_name),
        ("File key", given.file_key),
        ("Access key", given.access_key_id),
        ("Secret access key", given.secret_access_key),
    ):
        if not value.strip():
            raise Failure(400, f"{label} can't be blank")


def _source(call: Call[ImportS3]) -> S3Source:
    given = call.params
    return S3Source(
        region=given.region,
        bucket=given.bucket_name,
        key=given.file_key,
        access_key_id=given.access_key_id,
        secret_access_key=given.secret_access_key,
        endpoint=call.services.settings.s3_import_endpoint or None,
    )


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
    """The status of a project's import."""
    project = call.project
    error = project.import_error if project.import_status == "failed" else None
    if error is not None and not ADMIN_PROJECT.allows(call.actor, project):
        error = HIDDEN
    return import_record(call.conn, project, import_type=project.import_type, import_error=error)


@routes.post(
    "/projects/import-relation",
    guard=SIGNED_IN,
    params=ImportRelation,
    returns=RelationImport,
    errors=(409, 413, 422),
    file_limit=largest_archive,
)
def import_project_relation(call: Call[ImportRelation]) -> Answer:
    """Import one relation of an archive into an existing project, skipping what is there."""
    _require_source(call)
    require_archive_name(call.params.file)
    project = find_project(call.conn, call.actor, call.params.path)
    if project is None:
        raise Failure(404, "Project not found")
    if not ADMIN_PROJECT.allows(call.actor, project):
        raise Failure(403, "You are not authorized to perform this action")
    require_idle(call.conn, project)
    key = store_archive(call.services, call.conn, call.params.file)
    with call.write() as tx:
        created = schedule_relation_import(
            tx, project.id, call.actor.id, call.params.relation, blob_key=key, correlation_id=call.request_id
        )
    return RelationImport(id=created, project_path=project.full_path, relation=call.params.relation, status="created")


@routes.get("/projects/{id}/relation-imports", guard=READ_PROJECT_SIGNED_IN, returns=list[RelationImport])
def list_relation_imports(call: Call) -> Answer:
    """Relation imports of a project, oldest first."""
    if not ADMIN_PROJECT.allows(call.actor, call.project):
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
