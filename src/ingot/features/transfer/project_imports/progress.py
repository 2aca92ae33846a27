"""How far an import is, for its page: stages, records, bytes and an honest guess at the time."""

import msgspec
from sqlalchemy import Connection, select

from ingot.access.rows import ProjectRow
from ingot.archives.pace import Counted, counted
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


class Stage(msgspec.Struct, frozen=True):
    """A part of the work."""

    words: str
    state: str  # done | now | later


class ImportProgress(msgspec.Struct, frozen=True):
    """The work behind an import."""

    job_state: str  # empty where no job is remembered
    stages: list[Stage]  # of an archive's import
    part: Counted  # of the archive that is fetched, or of the records that are stored
    seconds_left: int | None  # for that part
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
        stages = _stages(done | ({RECORDS} if row.summary else set()), row.sealed_url is not None, is_running)
    return ImportProgress(
        job.state,
        stages,
        part,
        part.seconds_left if is_running else None,
        can_go_on(conn, project),
    )


def _stages(done: set[str], is_fetched: bool, is_running: bool) -> list[Stage]:
    names = [name for name in STAGES if name != "fetch" or is_fetched]
    current = next((name for name in names if name not in done), None) if is_running else None
    return [Stage(STAGES[name], "done" if name in done else "now" if name == current else "later") for name in names]
