"""Adding one user, or several at once with an outcome for each."""

from sqlalchemy import ColumnElement, Connection, select

from ingot.access.call import Call
from ingot.features.people.members import commands, queries
from ingot.features.people.members.custom_roles import chosen_role, require_saml_identity
from ingot.features.people.members.entities import MOST_AT_ONCE, TOO_MANY, Member, Outcome, present
from ingot.features.people.members.params import AddMember
from ingot.features.people.members.rows import NewMemberRow
from ingot.features.people.members.source import Source
from ingot.identity.tables import users
from ingot.kit.errors import ApiError, Invalid, NotFound
from ingot.kit.events import announce
from ingot.kit.ids import parse_id


def names_or_ids(options: AddMember) -> list[str]:
    """The ids or user names that were sent."""
    text = options.user_id if options.user_id is not None else options.username
    return [part.strip() for part in (text or "").split(",") if part.strip()]


def _find_user(conn: Connection, options: AddMember, text: str) -> NewMemberRow | None:
    condition: ColumnElement[bool]
    if options.user_id is not None:
        user_id = parse_id(text)
        if user_id is None:
            return None
        condition = users.c.id == user_id
    else:
        condition = users.c.username_lower == text.lower()
    return conn.execute(select(users.c.id, users.c.username, users.c.kind).where(condition)).one_or_none()


def add(call: Call[AddMember], source: Source) -> Member | Outcome:
    """Add the users that the parameters name, and return the answer."""
    texts = names_or_ids(call.params)
    if len(texts) > 1:
        return _add_several(call, source, texts)
    user = _find_user(call.conn, call.params, texts[0]) if texts else None
    if user is None:
        raise NotFound("User")
    _add_one(call, source, user)
    return present(call, [queries.get_effective_member(call.conn, source, user.id)])[0]


def _add_several(call: Call[AddMember], source: Source, texts: list[str]) -> Outcome:
    failures: dict[str, str] = {}
    different = dict.fromkeys(texts)
    if len(different) > MOST_AT_ONCE:
        return TOO_MANY
    for text in different:
        user = _find_user(call.conn, call.params, text)
        if user is None:
            failures[text] = "User not found"
            continue
        try:
            _add_one(call, source, user)
        except Invalid as error:
            failures[user.username] = " and ".join(
                f"{name.removesuffix('_id').replace('_', ' ').capitalize()} {phrase}"
                for name, phrases in error.problems.items()
                for phrase in phrases
            )
        except ApiError as error:
            failures[user.username] = error.text
    if failures:
        return Outcome(status="error", message=failures)
    return Outcome(status="success")


def _add_one(call: Call[AddMember], source: Source, user: NewMemberRow) -> None:
    options = call.params
    if user.kind == "project_bot":
        raise Invalid({"user_id": ["project bots cannot be added to other groups / projects"]})
    with call.write() as tx:
        require_saml_identity(tx, call, source, user.id)
        commands.add_member(
            tx,
            source,
            user.id,
            options.access_level,
            expires_at=options.expires_at,
            created_by_id=call.actor.id,
            member_role_id=chosen_role(tx, call, source, options.member_role_id, options.access_level),
        )
    announce(call.services, source.changed(user.id))
