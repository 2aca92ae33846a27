"""Why a quick action does nothing, for the person who wrote it."""

NOT_ALLOWED = "you are not allowed to do that here"
NO_LABEL, NO_USER = "no label has that name", "nobody has that user name"
NO_DURATION = "it needs a duration, such as 1h 30m"
_REASONS = {
    "title": "it needs a title of at most 255 characters", "ready": "nothing would be left of the title",
    "target_branch": "it needs the name of a branch", "label": NO_LABEL, "unlabel": NO_LABEL, "relabel": NO_LABEL,
    "milestone": "no open milestone has that title", "due": "it needs a day, such as 2026-03-01 or in 2 weeks",
    "weight": "it needs a number, such as 3", "estimate": NO_DURATION, "spend": NO_DURATION,
    "award": "no emoji has that name",
    "merge": "it cannot be merged now, you may not merge it, or it has newer commits than you saw",
}  # fmt: skip


def reason_of(name: str) -> str:
    """What is wrong where this command is allowed; the others name people."""
    return _REASONS.get(name, NO_USER)
