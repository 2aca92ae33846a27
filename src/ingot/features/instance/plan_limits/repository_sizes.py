"""The repository size limit that administrators set on projects and groups."""

_LARGEST = 2**31 - 1


def size_limit_problem(megabytes: int) -> str | None:
    """What is wrong with this `repository_size_limit`, in the words of the errors; 0 is no limit."""
    if megabytes < 0:
        return "must be greater than or equal to 0"
    return f"must be less than or equal to {_LARGEST}" if megabytes > _LARGEST else None
