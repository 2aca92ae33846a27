"""Names and paths of projects: what is allowed, what is reserved, and the path that follows from a name."""

import re
import unicodedata

RESERVED = frozenset(
    {
        "-", "badges", "blame", "blob", "builds", "commits", "create", "create_dir", "edit", "environments/folders",
        "files", "find_file", "gitlab-lfs/objects", "info/lfs/objects", "new", "preview", "raw", "refs", "tree",
        "update", "wikis",
    }
)  # fmt: skip
LONGEST = 255

_LOOSE_PATH = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_.-]*")
_STRICT_PATH = re.compile(r"[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*")
_ENDINGS = (".git", ".atom")

LOOSE_TEXT = (
    "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-', end in '.git' or end in '.atom'"
)
STRICT_TEXT = (
    "can only include non-accented letters, digits, '_', '-' and '.'. It must not start with '-', end in '.', '.git',"
    " or '.atom'."
)
NAME_TEXT = (
    "can contain only letters, digits, emoji, '_', '.', '+', dashes, or spaces. It must start with a letter, digit,"
    " emoji, or '_'."
)
TOO_LONG = f"is too long (maximum is {LONGEST} characters)"


def path_from_name(name: str) -> str:
    """`Foo Project` gives `foo-project`; a name that is already a path stays as it is."""
    if is_loose_path(name):
        return name
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9_.]+", "-", plain.lower()).strip("-._")


def is_loose_path(path: str) -> bool:
    """The character rule that stored paths always met."""
    return _LOOSE_PATH.fullmatch(path) is not None and not path.lower().endswith(_ENDINGS)


def path_problems(path: str) -> list[str]:
    """Why a new project cannot have this path."""
    if not path:
        return ["can't be blank"]
    found = []
    if not is_loose_path(path):
        found.append(LOOSE_TEXT)
    if _STRICT_PATH.fullmatch(path) is None or path.lower().endswith(_ENDINGS):
        found.append(STRICT_TEXT)
    if path.lower() in RESERVED:
        found = [f"{path} is a reserved name"]
    if len(path) > LONGEST:
        found.append(TOO_LONG)
    return found


def name_problems(name: str) -> list[str]:
    """Why a project cannot have this name."""
    if not name:
        return ["can't be blank"]
    if not _is_name_start(name[0]) or not all(_is_name_part(char) for char in name):
        return [NAME_TEXT]
    return [TOO_LONG] if len(name) > LONGEST else []


def _is_name_start(char: str) -> bool:
    # So: symbols such as emoji; Sk: skin tones; Mn and Cf: what joins and varies them.
    return char == "_" or unicodedata.category(char)[0] in "LN" or unicodedata.category(char) in ("So", "Sk")


def _is_name_part(char: str) -> bool:
    kind = unicodedata.category(char)
    return _is_name_start(char) or char in ".+ " or kind in ("Pd", "Mn", "Mc", "Me") or char in "\u200d\ufe0f"
