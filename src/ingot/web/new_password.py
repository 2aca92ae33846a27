"""The new password in a form, which asks for it twice."""

from sqlalchemy import Update, update

from ingot.features.people.users import problems_of
from ingot.identity import passwords
from ingot.identity.rows import UserRow
from ingot.identity.tables import users
from ingot.kit.clock import now
from ingot.web.call import PageCall


def new_password_problem(call: PageCall, user: UserRow) -> str:
    """A sentence that says why the password is refused; empty for one that is not."""
    password = str(call.values.get("password", ""))
    with call.services.db.read() as conn:
        rules = passwords.password_rules(conn)
    values = {"username": user.username, "name": user.name, "email": user.email}
    problems = problems_of({**values, "password": password}, rules).get("password", [])
    if password != str(call.values.get("password_confirmation", "")):
        problems = ["does not match the confirmation"]
    return f"The new password {', and '.join(problems)}." if problems else ""


def new_password_update(call: PageCall, user: UserRow) -> Update:
    """The statement that sets the password. Hashing takes a while: build it before the transaction."""
    values = {"password_hash": passwords.hashed(str(call.values.get("password", ""))), "password_expires_at": None}
    return update(users).where(users.c.id == user.id).values(**values, updated_at=now())
