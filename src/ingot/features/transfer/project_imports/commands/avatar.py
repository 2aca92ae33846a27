"""The avatar of an imported project: checked like an uploaded one."""

from pathlib import Path

from ingot.access.subjects import Project
from ingot.access.tables import projects
from ingot.archives.walk import files_below
from ingot.features.people.avatars import picture_problems, replace_avatar
from ingot.features.transfer.project_imports.commands.failures import record_failure
from ingot.features.transfer.project_imports.rows import ProjectImportRow
from ingot.kit.params import UploadedFile
from ingot.kit.services import Services


def store_avatar(services: Services, import_record: ProjectImportRow, project: Project, folder: Path) -> None:
    """Store the first image below `avatar/`; an invalid one is recorded as a failure."""
    picture = next(files_below(folder / "avatar"), None)
    if picture is None:
        return
    with picture.open("rb") as file:
        size = picture.stat().st_size
        problems = picture_problems(file, size)
        if not problems:
            upload = UploadedFile(picture.name, "", file, size)
            replace_avatar(services, projects, "project", project.id, upload)
            return
    with services.db.write() as tx:
        record_failure(tx, import_record, project, "AvatarRestorer", "avatar", f"Avatar {problems[0]}")
