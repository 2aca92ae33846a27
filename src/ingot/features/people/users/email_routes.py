"""Endpoints of users' secondary addresses."""

from collections.abc import Sequence

from sqlalchemy import select

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR, SIGNED_IN
from ingot.features.people.users import queries
from ingot.features.people.users.commands import refuse_taken
from ingot.features.people.users.entities import Email
from ingot.features.people.users.rows import UserEmailRow
from ingot.features.people.users.tables import emails
from ingot.features.people.users.validation import problems_of
from ingot.kit.clock import now
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import wire_or_none
from ingot.kit.errors import Conflict, Invalid, NotFound
from ingot.kit.params import Paging, Param, Params

addresses = Routes("Users", scopes=("read_user",))


class AddEmail(Params):
    """A secondary address."""

    email: str = Param("Email address.", required=True, blank=False)


class AddEmailOfUser(AddEmail):
    """A secondary address of somebody else."""

    skip_confirmation: bool = Param("The address counts as confirmed (administrators).", default=False)


@addresses.get("/user/emails", guard=SIGNED_IN, params=Paging, returns=list[Email])
def list_current_user_emails(call: Call[Paging]) -> Answer:
    """The caller's addresses."""
    return _email_page(call, call.actor.id)


@addresses.get("/users/{id:int}/emails", guard=ADMINISTRATOR, params=Paging, returns=list[Email])
def list_user_emails(call: Call[Paging]) -> Answer:
    """A user's addresses (administrators)."""
    return _email_page(call, queries.get_user(call.conn, int(call.path["id"])).id)


@addresses.post("/user/emails", guard=SIGNED_IN, params=AddEmail, returns=Email)
def add_current_user_email(call: Call[AddEmail]) -> Answer:
    """Add an address to the caller's account."""
    return _add_email(call, call.actor.id, confirmed=False)


@addresses.post("/users/{id:int}/emails", guard=ADMINISTRATOR, params=AddEmailOfUser, returns=Email)
def add_user_email(call: Call[AddEmailOfUser]) -> Answer:
    """Add an address to a user's account (administrators)."""
    user_id = queries.get_user(call.conn, int(call.path["id"])).id
    return _add_email(call, user_id, confirmed=call.params.skip_confirmation)


@addresses.get("/user/emails/{email_id:int}", guard=SIGNED_IN, returns=Email)
def get_current_user_email(call: Call) -> Answer:
    """One of the caller's addresses."""
    return _email(_own(call, call.actor.id))


@addresses.delete("/user/emails/{email_id:int}", guard=SIGNED_IN)
def delete_current_user_email(call: Call) -> Answer:
    """Remove one of the caller's addresses."""
    _remove(call, _own(call, call.actor.id).id)


@addresses.delete("/users/{id:int}/emails/{email_id:int}", guard=ADMINISTRATOR)
def delete_user_email(call: Call) -> Answer:
    """Remove one of a user's addresses (administrators)."""
    user_id = queries.get_user(call.conn, int(call.path["id"])).id
    _remove(call, _own(call, user_id).id)


def _email_page(call: Call, user_id: int) -> Answer:
    query = select(emails).where(emails.c.user_id == user_id).order_by(emails.c.id)
    return call.page(query, _emails)


def _emails(_: Call, rows: Sequence[UserEmailRow]) -> list[Email]:
    return [_email(row) for row in rows]


def _email(row: UserEmailRow) -> Email:
    return Email(id=row.id, email=row.email, confirmed_at=wire_or_none(row.confirmed_at))


def _add_email(call: Call[AddEmail], user_id: int, *, confirmed: bool) -> Email:
    address = call.params.email
    problems = problems_of({"email": address})
    if problems:
        raise Invalid(problems)
    with call.write() as tx:
        try:
            refuse_taken(tx, email=address)
        except Conflict:
            raise Invalid({"email": ["has already been taken"]}) from None
        row = tx.execute(
            emails.insert()
            .values(
                user_id=user_id,
                email=address,
                email_lower=address.lower(),
                confirmed_at=now() if confirmed else None,
                created_at=now(),
            )
            .returning(emails)
        ).one()
    return _email(row)


def _own(call: Call, user_id: int) -> UserEmailRow:
    row = call.conn.execute(
        select(emails).where(emails.c.id == int(call.path["email_id"]), emails.c.user_id == user_id)
    ).one_or_none()
    if row is None:
        raise NotFound("Email")
    return row


def _remove(call: Call, record_id: int) -> None:
    with call.write() as tx:
        call.delete_rows(tx, emails, emails.c.id == record_id)
