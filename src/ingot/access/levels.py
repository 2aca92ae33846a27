"""The numbers that the wire uses for roles, visibility and feature switches, and their names."""

from enum import IntEnum

NO_ACCESS = 0
MINIMAL = 5
GUEST = 10
PLANNER = 15
REPORTER = 20
DEVELOPER = 30
MAINTAINER = 40
OWNER = 50
ADMIN = 60

ROLE_NAMES = {
    MINIMAL: "Minimal Access", GUEST: "Guest", PLANNER: "Planner", REPORTER: "Reporter", DEVELOPER: "Developer",
    MAINTAINER: "Maintainer", OWNER: "Owner",
}  # fmt: skip
MEMBER_LEVELS = (GUEST, PLANNER, REPORTER, DEVELOPER, MAINTAINER, OWNER)


class Visibility(IntEnum):
    """Who sees a project or group."""

    PRIVATE = 0
    INTERNAL = 10
    PUBLIC = 20

    @property
    def word(self) -> str:
        """The name on the wire."""
        return self.name.lower()

    @classmethod
    def of(cls, word: str) -> "Visibility":
        """From the name on the wire."""
        return cls[word.upper()]


VISIBILITY_WORDS = ("private", "internal", "public")


class Feature(IntEnum):
    """Who may use a feature of a project. PUBLIC is for pages only."""

    DISABLED = 0
    PRIVATE = 10
    ENABLED = 20
    PUBLIC = 30

    @property
    def word(self) -> str:
        """The name on the wire."""
        return self.name.lower()

    @classmethod
    def of(cls, word: str) -> "Feature":
        """From the name on the wire."""
        return cls[word.upper()]


FEATURE_WORDS = ("disabled", "private", "enabled")

# Every switch of a project, in the order of the wire, with its value in a fresh project.
FEATURES: dict[str, Feature] = {
    "issues": Feature.ENABLED,
    "repository": Feature.ENABLED,
    "merge_requests": Feature.ENABLED,
    "forking": Feature.ENABLED,
    "wiki": Feature.ENABLED,
    "builds": Feature.ENABLED,
    "snippets": Feature.ENABLED,
    "pages": Feature.PRIVATE,
    "analytics": Feature.ENABLED,
    "container_registry": Feature.ENABLED,
    "security_and_compliance": Feature.PRIVATE,
    "releases": Feature.ENABLED,
    "environments": Feature.ENABLED,
    "feature_flags": Feature.ENABLED,
    "infrastructure": Feature.ENABLED,
    "monitor": Feature.ENABLED,
    "model_experiments": Feature.ENABLED,
    "model_registry": Feature.ENABLED,
    "requirements": Feature.ENABLED,
}
