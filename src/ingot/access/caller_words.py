"""Who may call an endpoint, in the words of its documentation."""

from ingot.access.levels import ADMIN, GUEST, OWNER, ROLE_NAMES


def describe_callers(
    place: str, level: int, *, outsiders: bool = False, needs_user: bool = False, permission: str | None = None
) -> str:
    """Such as "Developers and higher roles of the project"; `place` is `project` or `group`."""
    everybody = "every signed-in user who can see" if needs_user else "everyone who can see"
    if outsiders and level <= GUEST:
        return f"{everybody} the {place}"
    members = f"{_members(level)} of the {place}"
    if outsiders:
        return f"{everybody} a public or internal {place}; of a private one, {_members(level)}"
    return f"{members}, and custom roles with the permission `{permission}`" if permission else members


def _members(level: int) -> str:
    if level >= ADMIN:
        return "administrators"
    role = f"{ROLE_NAMES.get(level, 'member')}s"
    return role if level == OWNER else f"{role} and higher roles"
