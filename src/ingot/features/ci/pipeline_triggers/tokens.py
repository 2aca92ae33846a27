"""The form of trigger tokens."""

TRIGGER_PREFIX = "glptt-"


def short_token(clear: str) -> str:
    """What may be shown of a trigger token."""
    return clear.removeprefix(TRIGGER_PREFIX)[:4]
