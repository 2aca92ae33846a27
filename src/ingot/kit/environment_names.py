"""Which names environments may have."""

from ingot.kit.patterns import ALPHANUMERIC, consists_of

LONGEST = 255
NAME_RULE = (
    "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with"
    " '/'"
)
_CHARACTERS = ALPHANUMERIC + " ._/${}-"


def problem_of(name: str) -> str | None:
    """What is wrong with a name; None if nothing is.

    A tab or an invisible letter would let a second environment look like a protected one.
    """
    if not name.strip():
        return "can't be blank"
    if not consists_of(name, _CHARACTERS) or name.startswith("/") or name.endswith("/"):
        return NAME_RULE
    return f"is too long (maximum is {LONGEST} characters)" if len(name) > LONGEST else None
