"""How project settings are declared: who reads and writes them, and what archives contain."""

from dataclasses import dataclass
from enum import Enum, auto

from ingot.kit.catalogue import Apart, Archived, LeftOut, Setting
from ingot.kit.regexps import regexp_error

IN_ROOT = Archived()
NOT_IN_ARCHIVES = LeftOut("the archive format has no attribute for it")
OF_THIS_SERVER = LeftOut("it belongs to the server, not to the project's content")
SECRET = LeftOut("archives hold no secrets")


class Reader(Enum):
    """Who sees a setting on the full form of a project, besides seeing the project."""

    EVERYONE = auto()
    CODE_READERS = auto()
    ISSUE_READERS = auto()
    MERGE_REQUEST_READERS = auto()
    SECRET_DETECTION_READERS = auto()
    MAINTAINERS = auto()
    OF_FORKS = auto()  # everyone, while the project is a fork
    OF_MIRRORS = auto()  # everyone, while the project is a mirror


class Writer(Enum):
    """Who may change a setting."""

    MAINTAINERS = auto()
    MERGE_MANAGERS = auto()  # also custom roles with `manage_merge_request_settings`
    ADMINISTRATORS = auto()  # ignored when others send it


@dataclass(frozen=True, slots=True)
class ProjectSetting(Setting):
    """A setting that everybody sees and Maintainers change, unless it says otherwise."""

    read_by: Reader | Apart = Reader.EVERYONE
    written_by: Writer | Apart = Writer.MAINTAINERS
    forked: bool = False  # a fork starts with the value of its source


def config_path_problem(path: str) -> str | None:
    """What is wrong with the path of a CI configuration."""
    if path.startswith("/") or ".." in path:
        return "cannot include leading slash or directory traversal."
    return None


def subject_problem(components: list[str]) -> str | None:
    """What is wrong with the parts of a subject: without the path first, that of one project could be another's."""
    return None if components[:1] == ["project_path"] else "project_path must be the first element of the sub claim"


def regexp_problem(text: str) -> str | None:
    """What is wrong with a regular expression."""
    problem = regexp_error(text)
    return None if problem is None else f"not valid RE2 syntax: {problem}"


def timeout_problem(seconds: int) -> str | None:
    """What is wrong with the time that a job may take."""
    return None if 600 <= seconds <= 2_592_000 else "needs to be between 10 minutes and 1 month"


def depth_problem(depth: int) -> str | None:
    """What is wrong with the depth of clones."""
    if 0 <= depth <= 1000:
        return None
    return f"must be {'greater than or equal to 0' if depth < 0 else 'less than or equal to 1000'}"
