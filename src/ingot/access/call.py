"""A call of an endpoint that may be about a project or a group: its guard loads it before the handler runs."""

from starlette.requests import Request

from ingot.access.subjects import Group, Project
from ingot.kit import call as kit_call
from ingot.kit.call import P_co
from ingot.kit.endpoint import Endpoint
from ingot.kit.services import Services


class Call(kit_call.Call[P_co]):
    """What a handler sees."""

    __slots__ = ("group_or_none", "project_or_none")

    def __init__(self, request: Request, endpoint: Endpoint, path: dict[str, str], services: Services) -> None:
        super().__init__(request, endpoint, path, services)
        self.project_or_none: Project | None = None
        self.group_or_none: Group | None = None

    def shows(self, part: str) -> bool:  # noqa: ARG002 - for callers that show less
        """Whether this part of a record is looked at; answers over HTTP have all parts."""
        return True

    def tell(self, sentences: list[str]) -> None:
        """What the person is told besides; answers over HTTP have no place for it."""

    @property
    def project(self) -> Project:
        """The project that the endpoint is about."""
        if self.project_or_none is None:
            raise LookupError("the guard of this endpoint loads no project")
        return self.project_or_none

    @project.setter
    def project(self, project: Project) -> None:
        self.project_or_none = project

    @property
    def group(self) -> Group:
        """The group that the endpoint is about."""
        if self.group_or_none is None:
            raise LookupError("the guard of this endpoint loads no group")
        return self.group_or_none

    @group.setter
    def group(self, group: Group) -> None:
        self.group_or_none = group
