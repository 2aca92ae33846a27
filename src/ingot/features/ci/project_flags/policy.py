"""Who may read and change feature flags, and who reads them for an application."""

from dataclasses import dataclass

from sqlalchemy import select

from ingot.access.abilities import ProjectAbility
from ingot.access.call import Call
from ingot.access.levels import DEVELOPER, Feature
from ingot.access.rows import ProjectRow
from ingot.access.tables import projects
from ingot.features.ci.project_flags.client_access import is_instance_id
from ingot.kit.errors import Forbidden, Unauthorized

READ_FLAGS = ProjectAbility(ability="read_feature_flag", level=DEVELOPER, feature="feature_flags", needs_user=True)
CHANGE_FLAGS = ProjectAbility(
    ability="admin_feature_flag", level=DEVELOPER, feature="feature_flags", needs_user=True, writes=True
)


@dataclass(frozen=True, slots=True)
class FlagClient:
    """An application that knows the project's instance id; what it says of users does not count."""

    ability: str = "read_feature_flags_as_client"
    callers: str = "applications that know the project's instance id"
    needs_user: bool = False
    anonymous_writes: bool = True

    def admit(self, call: Call) -> None:
        """401 without the right instance id, whether or not there is such a project."""
        given = call.request.headers.get("unleash-instanceid") or call.request.query_params.get("instance_id") or ""
        project_id = int(call.path["project_id"]) if call.path["project_id"].isdecimal() else 0
        if not is_instance_id(call.services, project_id, given):
            raise Unauthorized
        query = select(projects).where(projects.c.id == project_id)
        row: ProjectRow | None = call.conn.execute(query).one_or_none()
        if row is None:
            raise Unauthorized
        if Feature.DISABLED in (row.repository_access_level, row.feature_flags_access_level):
            raise Forbidden


CLIENT = FlagClient()
