"""Who may upload, read and remove files."""

from ingot.access.abilities import GroupAbility, ProjectAbility
from ingot.access.levels import MAINTAINER
from ingot.features.spaces.projects import ProjectSettings

# Users who can comment can attach files.
UPLOAD_TO_PROJECT = ProjectAbility(ability="upload_file", outsiders=True, writes=True, needs_user=True)
READ_PROJECT_UPLOAD = ProjectAbility(ability="read_upload", outsiders=True)
ADMIN_PROJECT_UPLOADS = ProjectAbility(ability="admin_upload", level=MAINTAINER, needs_user=True)
DELETE_PROJECT_UPLOAD = ProjectAbility(ability="destroy_upload", level=MAINTAINER, writes=True, needs_user=True)

UPLOAD_TO_GROUP = GroupAbility(ability="upload_file", needs_user=True)
READ_GROUP_UPLOAD = GroupAbility(ability="read_upload", outsiders=True)
ADMIN_GROUP_UPLOADS = GroupAbility(ability="admin_upload", level=MAINTAINER, needs_user=True)


def link_suffices(settings: ProjectSettings, media_type: str) -> bool:
    """Knowing the address of an image is enough if the project allows it, for readers of e-mails."""
    return not settings.enforce_auth_checks_on_uploads and media_type.startswith("image/")
