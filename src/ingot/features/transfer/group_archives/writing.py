"""Writing the archive of a group, in a stream."""

from typing import IO

from ingot import __version__
from ingot.archives.pack import ArchiveWriter
from ingot.archives.seal import SEAL_FILE, make_seal
from ingot.features.transfer.group_archives import records
from ingot.features.transfer.project_exports import RECORDS, Stand
from ingot.instance import instance_uuid
from ingot.kit.jobs import Run
from ingot.kit.services import Services

VERSION = "0.2.4"


def write_archive(
    services: Services, group_id: int, target: IO[bytes], run: Run, stand: Stand, *, addresses: bool
) -> None:
    """The group and all below it, as readers of GitLab's archives expect them; counted in `stand`, group by group.

    `addresses`: mail addresses that are not public are written too, for administrators, who see them anyway.
    """
    with ArchiveWriter(target) as writer, services.db.scan() as conn:
        writer.add_bytes("VERSION", VERSION.encode())
        writer.add_bytes("GITLAB_VERSION", f"17.9.0-ingot-{__version__}".encode())
        writer.add_bytes("GITLAB_REVISION", b"00000000000")
        groups = records.hierarchy(conn, group_id)
        writer.add_bytes("tree/groups/_all.ndjson", "".join(f"{row.id}\n" for row in groups).encode())
        stand.begin(RECORDS, len(groups), of_groups=True)
        for row in groups:
            run.check()
            run.progress(**stand.counters(target.tell()))
            place = f"tree/groups/{row.id}"
            writer.add_document(f"{place}.json", records.group_record(row, group_id))
            relations = {
                "labels": records.label_records(conn, row.id),
                "milestones": records.milestone_records(conn, row.id),
                "badges": records.badge_records(conn, row.id),
                "boards": records.board_records(conn, row.id),
                "members": records.member_records(conn, row.id, addresses=addresses),
            }
            for name, lines in relations.items():
                stand.records += writer.add_lines(f"{place}/{name}.ndjson", lines)
            stand.parts += 1
        uuid = instance_uuid(services.db, conn)
        writer.add_bytes(SEAL_FILE, make_seal(uuid, services.secret_key, writer.digests))
