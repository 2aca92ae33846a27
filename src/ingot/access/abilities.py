"""Abilities and the guards that ask for them. A route names an ability; the rule behind it is one line in a policy.

READ_CODE = ProjectAbility("read_code", feature="repository", outsiders=True, level=REPORTER)
@routes.get("/projects/{id}/repository/tree", guard=READ_CODE, ...)
"""

from dataclasses import dataclass, field
from urllib.parse import quote

from ingot.access import custom_roles
from ingot.access.call import Call
from ingot.access.caller_words import describe_callers
from ingot.access.job_tokens import require_in_reach
from ingot.access.levels import GUEST, Feature, Visibility
from ingot.access.subjects import Group, Project, get_group_or_moved, get_project_or_moved
from ingot.kit.actor import Actor
from ingot.kit.errors import ApiError, Forbidden, NotFound, Unauthorized


@dataclass(frozen=True, slots=True)
class Anyone:
    """Open to everyone; the handler limits the answer to what the caller may see."""

    ability: str = "anyone"
    callers: str = "everyone; the response contains what the caller can see"
    needs_user: bool = False
    anonymous_writes: bool = False

    def admit(self, call: Call) -> None:
        """Nothing to check."""


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Needs a user, no particular right."""

    ability: str = "signed_in"
    callers: str = "every signed-in user"
    needs_user: bool = True

    def admit(self, call: Call) -> None:
        """The user was required before."""
        if call.actor.is_anonymous:
            raise Unauthorized


@dataclass(frozen=True, slots=True)
class Administrator:
    """Administrators only."""

    ability: str = "administrator"
    callers: str = "administrators"
    needs_user: bool = True

    def admit(self, call: Call) -> None:
        """Anonymous 401, others 403."""
        if call.actor.is_anonymous:
            raise Unauthorized
        if not call.actor.is_admin:
            raise Forbidden


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectAbility:
    """A right on a project: a level, or for readers of public projects only the feature's switch.

    `level`: what a member needs. `permission`: the switch of custom roles that grants it below that level.
    `outsiders`: open to everyone who sees a public or internal project while the feature is `enabled`. `writes`: taken
    away by archiving. `one_of`: features of which one is enough. `refusal`: for callers who see the project but lack
    the right.
    """

    ability: str
    level: int = GUEST
    feature: str | tuple[str, ...] | None = None
    one_of: tuple[str, ...] = ()
    outsiders: bool = False
    writes: bool = False
    needs_user: bool = False
    refusal: type[ApiError] = Forbidden
    feature_off: type[ApiError] | None = None
    permission: str | None = None
    _switches: tuple[str, ...] = field(init=False, repr=False, compare=False)  # the columns of the features

    def __post_init__(self) -> None:
        """Compute the column names once: a page checks many rights of each project."""
        features = (self.feature,) if isinstance(self.feature, str) else self.feature or ()
        object.__setattr__(self, "_switches", tuple(f"{name}_access_level" for name in features))

    @property
    def callers(self) -> str:
        """Who has the right, for the documentation."""
        return describe_callers(
            "project", self.level, outsiders=self.outsiders, needs_user=self.needs_user, permission=self.permission
        )

    def admit(self, call: Call) -> None:
        """Load the project named by the path, then check the right."""
        call.project = load_project(call)
        self.require(call.actor, call.project)

    def require(self, actor: Actor, project: Project) -> None:
        """Raise unless the actor has the right on the project."""
        if not self.allows(actor, project):
            if self.feature_off is not None and Feature.DISABLED in self._feature_levels(project):
                raise self.feature_off
            raise self.refusal()

    def allows(self, actor: Actor, project: Project) -> bool:
        """Whether the actor has the right."""
        if self.writes and project.row.archived:
            return False
        if self.needs_user and actor.user_id is None:
            return False
        levels = self._feature_levels(project)
        if Feature.DISABLED in levels:
            return False
        if actor.is_admin or project.level >= self.level:
            return True
        if self.outsiders and is_open_to(actor, project) and (not levels or min(levels) >= Feature.ENABLED):
            return True
        return project.permits(self.permission)

    def _feature_levels(self, project: Project) -> list[int]:
        row = project.row
        levels = [getattr(row, name) for name in self._switches]
        if self.one_of:
            levels.append(max(getattr(row, f"{name}_access_level") for name in self.one_of))
        return levels


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupAbility:
    """A right on a group: a level, or the `permission` of a custom role."""

    ability: str
    level: int = GUEST
    outsiders: bool = False
    needs_user: bool = False
    refusal: type[ApiError] = Forbidden
    permission: str | None = None

    @property
    def callers(self) -> str:
        """Who has the right, for the documentation."""
        return describe_callers(
            "group", self.level, outsiders=self.outsiders, needs_user=self.needs_user, permission=self.permission
        )

    def admit(self, call: Call) -> None:
        """Load the group named by the path, then check the right."""
        call.group = load_group(call)
        self.require(call.actor, call.group)

    def require(self, actor: Actor, group: Group) -> None:
        """Raise unless the actor has the right on the group."""
        if not self.allows(actor, group):
            raise self.refusal()

    def allows(self, actor: Actor, group: Group) -> bool:
        """Whether the actor has the right."""
        if self.needs_user and actor.is_anonymous:
            return False
        return actor.is_admin or self.outsiders or bool(group.level >= self.level) or group.permits(self.permission)


def is_open_to(actor: Actor, project: Project) -> bool:
    """The actor sees the project without being a member."""
    if project.visibility == Visibility.PUBLIC:
        return True
    return bool(project.visibility == Visibility.INTERNAL and not actor.is_anonymous and not actor.is_external)


def load_project(call: Call) -> Project:
    """The project of the path's `id`; former paths redirect reads."""
    actor, name, reads = call.actor, call.path["id"], call.is_read
    known = call.remember(
        "project",
        _name_for(actor, name),
        lambda: get_project_or_moved(
            call.conn, actor, name, reads=reads, location=lambda number: _moved_to(call, "projects", number)
        ),
    )
    project = Project(known.row, known.level)  # custom roles are each call's own
    require_in_reach(call, project)
    custom_roles.attach(call, project)
    return project


def remember_project(call: Call, project: Project) -> None:
    """The caller's level in a project is known: `load_project` need not read it again."""
    call.remember("project", _name_for(call.actor, str(project.id)), lambda: project)


def _name_for(actor: Actor, name: str) -> tuple[object, ...]:
    """What the rights of a caller in a project are remembered by."""
    return name, actor.user_id, actor.is_admin, actor.is_external, actor.closed_groups


def load_group(call: Call) -> Group:
    """The group of the path's `id`; former paths redirect reads."""
    reads = call.request.method in ("GET", "HEAD")
    group = get_group_or_moved(
        call.conn, call.actor, call.path["id"], reads=reads, location=lambda number: _moved_to(call, "groups", number)
    )
    custom_roles.attach(call, group)
    return group


def _moved_to(call: Call, collection: str, number: int) -> str:
    raw = call.request.scope["raw_path"].decode("latin-1")
    rest = raw.split(f"/{collection}/", 1)[1].partition("/")
    query = call.request.url.query
    tail = f"/{rest[2]}" if rest[1] else ""
    return f"{call.base_url}/api/v4/{collection}/{quote(str(number))}{tail}{'?' + query if query else ''}"


class RepositoryNotFound(NotFound):
    """404 Repository Not Found"""

    def __init__(self) -> None:
        super().__init__("Repository")
