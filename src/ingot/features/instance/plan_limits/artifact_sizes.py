"""The artifact size limit that administrators set on projects and groups."""

_LARGEST = 2**31 - 1


def artifacts_size_problem(megabytes: int | None) -> str | None:
    """What is wrong with this `max_artifacts_size`, in the words of the errors; None where nothing is."""
    if megabytes is None or 0 < megabytes <= _LARGEST:
        return None
    return "must be greater than 0" if megabytes <= 0 else f"must be less than {_LARGEST + 1}"
