"""Who calls: the result of authentication, handed to every guard, query and command."""

import msgspec


class Actor(msgspec.Struct, frozen=True):
    """A caller. Anonymous callers have no user id; a job token acts as the user who started the job."""

    user_id: int | None = None
    username: str = ""
    name: str = ""
    email: str = ""
    is_admin: bool = False
    is_external: bool = False
    scopes: frozenset[str] = msgspec.field(default_factory=frozenset)
    token_id: int | None = None
    token_kind: str = ""  # personal | impersonation | oauth | project | group | job | session
    valid_until: float | None = None  # Unix time, for a token that ends within a day
    job_id: int | None = None
    job_project_id: int | None = None
    can_sudo: bool = False
    impersonator: str = ""  # the name of the administrator who acts as this user
    # Groups that do not let in the address of the caller: they and what is below them are not there for this actor.
    closed_groups: tuple[int, ...] = ()

    @property
    def is_anonymous(self) -> bool:
        """No valid credential was sent."""
        return self.user_id is None

    @property
    def id(self) -> int:
        """The user's id; only for endpoints that require a user."""
        if self.user_id is None:
            raise LookupError("an anonymous caller has no id")
        return self.user_id


ANONYMOUS = Actor()
