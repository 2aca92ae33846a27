"""Endpoints of users."""

from sqlalchemy import select

from ingot.access.policy import ADMINISTRATOR, ANYONE, SIGNED_IN
from ingot.features.users import commands
from ingot.features.users.entities import BASIC_COLUMNS, UserBasic, present_basic, user_basic
from ingot.identity.tables import users
from ingot.kit.call import Call
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Forbidden
from ingot.kit.params import Paging, Param, Params

routes = Routes("Users", scopes=("read_user",))


class ListUsers(Paging):
    """Filters of the user list."""

    username: str | None = Param("Exact user name, case-insensitive.")


class CreateUser(Params):
    """A new user."""

    email: str = Param("E-mail address.", required=True)
    name: str = Param("Display name.", required=True)
    username: str = Param("User name.", required=True)
    admin: bool = Param("Make an administrator.", default=False)
    force_random_password: bool = Param("Nobody knows the password.", default=False)


@routes.get("/user", guard=SIGNED_IN, returns=UserBasic)
def get_current_user(call: Call) -> Answer:
    """The caller."""
    row = call.conn.execute(select(*BASIC_COLUMNS).where(users.c.id == call.actor.id)).one()
    return user_basic(row, call.base_url)


@routes.get("/users", guard=ANYONE, params=ListUsers, returns=list[UserBasic])
def list_users(call: Call) -> Answer:
    """Users of the instance, newest first."""
    if call.actor.is_anonymous and not call.params.username:
        raise Forbidden("Not authorized to access /api/v4/users")
    found = select(*BASIC_COLUMNS).order_by(users.c.id.desc())
    if call.params.username:
        found = found.where(users.c.username_lower == call.params.username.lower())
    return call.page(found, present_basic)


@routes.post("/users", guard=ADMINISTRATOR, params=CreateUser, returns=UserBasic, errors=(409,))
def create_user(call: Call) -> Answer:
    """Create a user (administrators)."""
    wish = call.params
    with call.write() as tx:
        user_id = commands.create_user(
            tx, username=wish.username, name=wish.name, email=wish.email, is_admin=wish.admin
        )
    row = call.conn.execute(select(*BASIC_COLUMNS).where(users.c.id == user_id)).one()
    return user_basic(row, call.base_url)
