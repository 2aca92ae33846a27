"""Creating and removing group links."""

from sqlalchemy import Connection, delete, insert, literal, select
from sqlalchemy.exc import IntegrityError

from ingot.access.levels import MINIMAL
from ingot.access.subjects import Group
from ingot.features.people.member_roles import find_usable_role
from ingot.features.people.saml.errors import LinkInvalid
from ingot.features.people.saml.params import NewLink
from ingot.features.people.saml.queries import get_link
from ingot.features.people.saml.rows import SamlGroupLinkRow
from ingot.features.people.saml.tables import saml_group_links
from ingot.kit.clock import now

MAX_LENGTH = 255


def create_link(tx: Connection, group: Group, options: NewLink, *, custom_roles: bool) -> SamlGroupLinkRow:
    """A new link. It changes nobody's role before that person signs in."""
    name, provider = (options.saml_group_name or "").strip(), (options.provider or "").strip()
    level, role_id = options.access_level, options.member_role_id if custom_roles else None
    problems = _length_problems(name, provider)
    if level == MINIMAL and group.parent_id is not None:
        problems.append("Access level is invalid")
    if role_id is not None:
        role = find_usable_role(tx, group.id, role_id)
        if role is None:
            problems.append("Member role must belong to the top-level group or to the instance")
        else:
            level = role.base_access_level
    if not problems and _exists(tx, group.id, name, provider):
        problems.append("Saml group name has already been taken")
    if problems:
        raise LinkInvalid(problems)
    moment = now()
    statement = insert(saml_group_links).values(
        group_id=group.id,
        saml_group_name=name,
        provider=provider,
        access_level=level,
        member_role_id=role_id,
        created_at=moment,
        updated_at=moment,
    )
    try:
        return tx.execute(statement.returning(*saml_group_links.c)).one()
    except IntegrityError:  # concurrent requests
        raise LinkInvalid(["Saml group name has already been taken"]) from None


def delete_link(tx: Connection, group_id: int, name: str, provider: str | None) -> None:
    """Remove a link; its people lose the role at their next sign-in, unless it was the group's last link."""
    link = get_link(tx, group_id, name, provider)
    tx.execute(delete(saml_group_links).where(saml_group_links.c.id == link.id))


def _length_problems(name: str, provider: str) -> list[str]:
    result = []
    if not name:
        result.append("Saml group name can't be blank")
    if len(name) > MAX_LENGTH:
        result.append(f"Saml group name is too long (maximum is {MAX_LENGTH} characters)")
    if len(provider) > MAX_LENGTH:
        result.append(f"Provider is too long (maximum is {MAX_LENGTH} characters)")
    return result


def _exists(tx: Connection, group_id: int, name: str, provider: str) -> bool:
    statement = select(literal(1)).where(
        saml_group_links.c.group_id == group_id,
        saml_group_links.c.saml_group_name == name,
        saml_group_links.c.provider == provider,
    )
    return tx.execute(statement).first() is not None
