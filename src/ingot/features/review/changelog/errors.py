"""Why there is no changelog."""

from ingot.kit.errors import Failure

NO_START = "The commit start range is unspecified, and no previous tag could be found to use instead"


class Ungenerated(Failure):
    """422 with the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(422, f"Failed to generate the changelog: {reason}")
