"""Importing one relation of an archive again: existing numbers are skipped.

As with a whole import, the archive's attributes of the project and its members are applied.
"""

from typing import Any

from sqlalchemy import Connection, select

from ingot.access.levels import OWNER
from ingot.access.rows import ProjectRow
from ingot.access.subjects import find_project
from ingot.archives.seal import is_own
from ingot.archives.unpack import ArchiveRefused
from ingot.features.ci.engine import pipelines
from ingot.features.planning.issues import issues
from ingot.features.planning.milestones import milestones
from ingot.features.review.merge_requests import merge_requests
from ingot.features.spaces.projects import make_repository
from ingot.features.transfer.project_imports.builders.settings import build_root
from ingot.features.transfer.project_imports.commands.finish import flush_counters, restore_refs
from ingot.features.transfer.project_imports.commands.run import Workplace, unpack_blob
from ingot.features.transfer.project_imports.commands.store import store_relation
from ingot.features.transfer.project_imports.context import ImportContext, People, clean
from ingot.features.transfer.project_imports.people import add_members, map_people
from ingot.features.transfer.project_imports.rows import RelationImportRow
from ingot.features.transfer.project_imports.tree import LineTree
from ingot.features.transfer.project_imports.values import BadRecord
from ingot.identity.authentication import actor_of_user
from ingot.identity.rows import UserRow
from ingot.instance import instance_uuid
from ingot.kit.jobs import JobFailed, Run

RELATIONS: dict[str, Any] = {
    "issues": issues,
    "milestones": milestones,
    "ci_pipelines": pipelines,
    "merge_requests": merge_requests,
}
SOURCE = "RelationImportWorker#perform"


def run_relation_import(run: Run, result: RelationImportRow, project: ProjectRow, importer: UserRow) -> None:
    """Store the relation; failures are recorded."""
    services, table = run.services, RELATIONS[result.relation]
    with services.db.read() as conn:
        known = set(conn.execute(select(table.c.iid).where(table.c.project_id == project.id)).scalars())
    repository = make_repository(services, project)

    def existing() -> list[int]:
        return sorted(known)

    # Read once and recorded: a second attempt must not mistake its own records for old ones.
    known = set(run.step("existing", existing))
    with Workplace(services) as folder:
        try:
            unpacked = unpack_blob(run, result.blob_key, folder)
            tree = LineTree(unpacked)
            root = tree.root()
            with services.db.read() as conn:
                own = is_own(unpacked, instance_uuid(services.db, conn), services.secret_key)
                people = map_people(conn, tree, importer, own=own)
                seen = find_project(conn, actor_of_user(importer), project.id)
            context = ImportContext(
                services, project, repository, result.correlation_id, people, existing_iids=known, skips_existing=True
            )
            owns = importer.is_admin or (seen is not None and seen.level >= OWNER)

            def begin(tx: Connection) -> None:
                build_root(context, tx, root, {}, as_owner=owns)
                add_members(context, tx, tree)

            run.transact("root", begin)
            store_relation(context, tree, result.relation, f"relation-{result.id}", lambda _name, _count: run.check())
        except (ArchiveRefused, BadRecord) as refusal:
            context = ImportContext(services, project, repository, result.correlation_id, People(importer.id))
            context.relation = result.relation
            with services.db.write() as tx:
                context.fail(tx, SOURCE, "Gitlab::ImportExport::Error", str(refusal))
            raise JobFailed(clean(str(refusal))) from None
    run.step("refs", lambda: restore_refs(services, project.id, repository))
    with services.db.write() as tx:
        flush_counters(tx, project.id)
