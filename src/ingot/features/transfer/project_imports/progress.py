"""How far an import is, for its page: stages, records, bytes and an honest guess at the time."""

from sqlalchemy import Connection, select

from ingot.access.rows import ProjectRow
from ingot.archives.pace import Counted, counted
from ingot.archives.stages import TransferProgress, list_stages
from ingot.features.transfer.project_imports.commands.stopping import can_go_on, find_import_job
from ingot.features.transfer.project_imports.tables import project_imports
from ingot.kit.jobs import list_steps

RECORDS = "records"
# The steps of an import from an archive, with words for people.
STAGES = {
    "fetch": "Fetch the archive", "repository": "Repository", "other repositories": "Wiki and designs",
    "root": "Settings and members", RECORDS: "Records", "avatar": "Picture", "files": "Uploads and large files",
    "refs": "Heads of merge requests", "finish": "Finish",
}  # fmt: skip


class ImportProgress(TransferProgress, frozen=True):
    """The work behind an import; stages are those of an archive's."""

    can_go_on: bool


def progress_of(conn: Connection, project: ProjectRow) -> ImportProgress:
    """How far the project's import is."""
    job = find_import_job(conn, project.id)
    if job is None:
        return ImportProgress("", [], Counted(), None, can_go_on=False)
    part, is_running = counted(job.counters), job.state == "running"
    stages = []
    if job.kind == "project_import":
        table = project_imports
        mine = select(table.c.summary, table.c.sealed_url).where(table.c.project_id == project.id)
        row = conn.execute(mine.order_by(table.c.id.desc()).limit(1)).one()
        done = {name for name, _ in list_steps(conn, job.id)}
        words = {name: text for name, text in STAGES.items() if name != "fetch" or row.sealed_url is not None}
        stages = list_stages(words, done | ({RECORDS} if row.summary else set()), is_running=is_running)
    seconds_left = part.seconds_left if is_running else None
    return ImportProgress(job.state, stages, part, seconds_left, can_go_on=can_go_on(conn, project))
