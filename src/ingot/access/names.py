"""Rules for the paths and names of projects and groups: characters, lengths, reserved words, and a path from a name."""

import unicodedata
from collections.abc import Callable

from ingot.kit.patterns import ALPHANUMERIC, consists_of, pattern

MAX_LENGTH = 255
MAX_ANCESTORS = 20
MAX_GROUP_DESCRIPTION = 500
MAX_PROJECT_DESCRIPTION = 2000

BLANK = "can't be blank"
TAKEN = "has already been taken"
TOO_DEEP = "has too deep level of nesting"
LOOSE_PROJECT_PATH = (
    "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-', end in '.git' or end in '.atom'"
)
LOOSE_GROUP_PATH = (
    "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or end in '.', '.git' or '.atom'."
)
STRICT_PATH = (
    "can only include non-accented letters, digits, '_', '-' and '.'."
    " It must not start with '-', end in '.', '.git', or '.atom'."
)
PROJECT_NAME = (
    "can contain only letters, digits, emoji, '_', '.', '+', dashes, or spaces."
    " It must start with a letter, digit, emoji, or '_'."
)
GROUP_NAME = (
    "can contain only letters, digits, emoji, '_', '.', dash, space, parenthesis."
    " It must start with letter, digit, emoji or '_'."
)

# Words that are parts of addresses below a project; a project or subgroup of that name could not be reached.
RESERVED_BELOW = frozenset({
    "-", "badges", "blame", "blob", "builds", "commits", "create", "create_dir", "edit", "environments/folders",
    "files", "find_file", "gitlab-lfs/objects", "info/lfs/objects", "new", "preview", "raw", "refs", "tree",
    "update", "wikis",
})  # fmt: skip
RESERVED_TOP = frozenset({
    "-", ".well-known", "404.html", "422.html", "500.html", "502.html", "503.html", "admin", "api",
    "apple-touch-icon.png", "assets", "dashboard", "deploy.html", "explore", "favicon.ico", "favicon.png",
    "files", "groups", "health_check", "help", "import", "jwt", "login", "oauth", "profile", "projects",
    "public", "robots.txt", "s", "search", "sitemap", "sitemap.xml", "sitemap.xml.gz", "slash-command-logo.png",
    "snippets", "unsubscribes", "uploads", "users", "v2",
})  # fmt: skip

_STRICT = pattern(r"[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*")
_OTHER = pattern(r"[^a-z0-9_]+")


def too_long(limit: int) -> str:
    """The phrase for a text over its limit."""
    return f"is too long (maximum is {limit} characters)"


def too_short(limit: int) -> str:
    """The phrase for a text under its minimum."""
    return f"is too short (minimum is {limit} characters)"


def is_loose_path(path: str, *, trailing_dot: bool = True) -> bool:
    """The path has only allowed characters and no forbidden ending."""
    endings = (".git", ".atom") if trailing_dot else (".git", ".atom", ".")
    return consists_of(path, f"{ALPHANUMERIC}_.-") and path[0] != "-" and not path.lower().endswith(endings)


def is_strict_path(path: str) -> bool:
    """Runs of letters and digits joined by single `.`, `_` or `-`, without a forbidden ending."""
    return _STRICT.fullmatch(path) is not None and not path.lower().endswith((".git", ".atom"))


def project_path_problems(path: str) -> list[str]:
    """What is wrong with the path of a project; empty when nothing is."""
    if not path:
        return [BLANK]
    result = [] if is_loose_path(path) else [LOOSE_PROJECT_PATH]
    result += [] if is_strict_path(path) else [STRICT_PATH]
    result += [too_long(MAX_LENGTH)] if len(path) > MAX_LENGTH else []
    result += [f"{path} is a reserved name"] if path.lower() in RESERVED_BELOW else []
    return result


def group_path_problems(path: str, *, top_level: bool) -> list[str]:
    """What is wrong with the path of a group (or, at the top, a user name); empty when nothing is."""
    if not path:
        return [BLANK]
    result = [] if is_loose_path(path, trailing_dot=False) else [LOOSE_GROUP_PATH]
    result += [] if is_strict_path(path) else [STRICT_PATH]
    result += [too_long(MAX_LENGTH)] if len(path) > MAX_LENGTH else []
    result += [too_short(2)] if len(path) < 2 else []
    reserved = RESERVED_TOP if top_level else RESERVED_BELOW
    result += [f"{path} is a reserved name"] if path.lower() in reserved else []
    return result


def full_path_problems(full_path: str) -> list[str]:
    """What is wrong with the whole path, from the top."""
    return [too_long(MAX_LENGTH)] if len(full_path) > MAX_LENGTH else []


def project_name_problems(name: str) -> list[str]:
    """What is wrong with the name of a project; empty when nothing is."""
    return _name_problems(name, _in_project_name, PROJECT_NAME)


def group_name_problems(name: str) -> list[str]:
    """What is wrong with the name of a group; empty when nothing is."""
    return _name_problems(name, _in_group_name, GROUP_NAME)


def _name_problems(name: str, allowed: Callable[[str], bool], phrase: str) -> list[str]:
    if not name.strip():
        return [BLANK]
    result = [] if _starts_name(name[0]) and all(allowed(char) for char in name) else [phrase]
    return [*result, too_long(MAX_LENGTH)] if len(name) > MAX_LENGTH else result


def _starts_name(char: str) -> bool:
    # Emoji are joined by format characters (Cf) and coloured by modifiers (Sk); separators and controls stay out.
    kind = unicodedata.category(char)
    if char == "_" or kind[0] in "LM" or kind == "Nd":
        return True
    return ("\u00a9" <= char <= "\U0001faff" and kind[0] not in "ZC") or (char in "\u200d\ufe0f")


def _in_project_name(char: str) -> bool:
    return _starts_name(char) or char in ".+ " or unicodedata.category(char) == "Pd"


def _in_group_name(char: str) -> bool:
    return _starts_name(char) or char in ".() " or unicodedata.category(char) == "Pd"


def path_from_name(name: str) -> str:
    """The path of a project that was given only a name: `Foo Project` becomes `foo-project`."""
    if is_loose_path(name):
        return name
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return _OTHER.sub("-", plain.lower()).strip("-")
