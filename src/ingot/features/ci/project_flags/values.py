"""Which flags, strategies and lists are valid; problems are whole sentences."""

from collections.abc import Callable, Mapping

from ingot.kit.patterns import consists_of, pattern

NEW_VERSION = "new_version_flag"
USER_LIST = "gitlabUserList"
NAME_RULE = (
    "Name can contain only lowercase letters, digits, '_' and '-'. Must start with a letter, and cannot end with"
    " '-' or '_'"
)
SHORTEST_NAME, LONGEST_FLAG = 2, 63
LONGEST_ID, LONGEST_NAME, LONGEST_TEXT = 256, 255, 1_000_000
STICKY = ("default", "userId", "sessionId", "random")
_NAME = pattern(r"[a-z](?:[a-z0-9_-]*[a-z0-9])?")
_GROUP = "abcdefghijklmnopqrstuvwxyz"


def flag_name_problem(name: str) -> str | None:
    """What is wrong with the name of a flag."""
    if len(name) < SHORTEST_NAME:
        return f"Name is too short (minimum is {SHORTEST_NAME} characters)"
    if len(name) > LONGEST_FLAG:
        return f"Name is too long (maximum is {LONGEST_FLAG} characters)"
    return None if _NAME.fullmatch(name) else NAME_RULE


def list_problems(name: str | None, user_xids: str | None) -> list[str]:
    """What is wrong with a user list."""
    problems = []
    if name is not None and not name.strip():
        problems.append("Name can't be blank")
    elif name is not None and len(name) > LONGEST_NAME:
        problems.append(f"Name is too long (maximum is {LONGEST_NAME} characters)")
    if user_xids is not None and not _are_ids(user_xids):
        problems.append(f"User xids user_xids must be a string of unique comma separated values each {LONGEST_ID}"
                        " characters or less")  # fmt: skip
    return problems


def strategy_problem(name: str, parameters: Mapping[str, str], *, has_list: bool) -> str | None:
    """What is wrong with a strategy."""
    if name not in _STRATEGIES:
        return "Strategies name strategy name is invalid"
    checks = _STRATEGIES[name]
    if set(parameters) != set(checks) or not all(isinstance(value, str) for value in parameters.values()):
        return "Strategies parameters parameters are invalid"
    if (name == USER_LIST) != has_list:
        return "Strategies user list can't be blank" if name == USER_LIST else "Strategies user list must be blank"
    return next((why for key, check in checks.items() if (why := check(parameters[key])) is not None), None)


def _are_ids(text: str) -> bool:
    ids = text.split(",")
    fits = all(part and part == part.strip() and len(part) <= LONGEST_ID for part in ids)
    return fits and len(ids) == len(set(ids)) and len(text) <= LONGEST_TEXT


def _share(word: str) -> Callable[[str], str | None]:
    def check(value: str) -> str | None:
        if consists_of(value, "0123456789") and len(value) <= 3 and int(value) <= 100:
            return None
        return f"Strategies parameters {word} must be a string between 0 and 100 inclusive"

    return check


def _group(value: str) -> str | None:
    fits = consists_of(value, _GROUP) and len(value) <= 32
    return None if fits else "Strategies parameters groupId parameter is invalid"


def _sticky(value: str) -> str | None:
    words = "default, userId, sessionId, or random"
    return None if value in STICKY else f"Strategies parameters stickiness parameter must be {words}"


def _ids(value: str) -> str | None:
    if _are_ids(value):
        return None
    return (
        "Strategies parameters userIds must be a string of unique comma separated values each"
        f" {LONGEST_ID} characters or less"
    )


_STRATEGIES: Mapping[str, Mapping[str, Callable[[str], str | None]]] = {
    "default": {},
    "userWithId": {"userIds": _ids},
    "gradualRolloutUserId": {"groupId": _group, "percentage": _share("percentage")},
    "flexibleRollout": {"groupId": _group, "rollout": _share("rollout"), "stickiness": _sticky},
    USER_LIST: {},
}
