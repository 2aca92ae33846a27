"""The files of a snippet in its form: the first has fields of plain names, the others are numbered."""

from collections.abc import Sequence

import msgspec

from ingot.web.call import PageCall
from ingot.web.sending import texts

MOST_FILES = 10
FIELDS = ("file_name", "content", "previous", "remove")


class FormFile(msgspec.Struct, frozen=True):
    """What the form has of a file."""

    suffix: str
    file_name: str = ""
    content: str = ""
    previous: str = ""  # its path so far; empty for a new one
    remove: str = ""
    is_long: bool = False  # too long for a form, which leaves it as it is


def suffix_of(number: int) -> str:
    """How the names of a file's fields end."""
    return "" if number == 1 else f"_{number}"


def with_empty(files: Sequence[FormFile]) -> list[FormFile]:
    """The files, and an empty one after them if there is room."""
    shown = files or [FormFile(suffix_of(1))]
    used = {file.suffix for file in shown}
    free = [suffix for number in range(1, MOST_FILES + 1) if (suffix := suffix_of(number)) not in used]
    return [*shown, *(FormFile(suffix) for suffix in free[:1])]


def typed_files(call: PageCall) -> list[FormFile]:
    """What was typed, without those that stayed empty."""
    result = []
    for number in range(1, MOST_FILES + 1):
        suffix = suffix_of(number)
        values = texts(call, [f"{name}{suffix}" for name in FIELDS])
        name, content, previous, remove = (values.get(f"{field}{suffix}", "") for field in FIELDS)
        if name or content.strip() or previous:
            result.append(FormFile(suffix, name, content, previous, remove))
    return result


def new_files(files: Sequence[FormFile]) -> list[dict[str, str]]:
    """The files of a new snippet."""
    return [{"file_path": _name(file, number), "content": file.content} for number, file in enumerate(files, 1)]


def changes_of(files: Sequence[FormFile], contents: dict[str, str]) -> list[dict[str, str]]:
    """What happens to the files of a snippet, whose contents are given by path."""
    result = []
    for number, file in enumerate(files, 1):
        if file.previous not in contents:
            result.append({"action": "create", "file_path": _name(file, number), "content": file.content})
        elif file.remove:
            result.append({"action": "delete", "file_path": file.previous})
        elif file.file_name != file.previous:
            moved = {"action": "move", "previous_path": file.previous, "file_path": file.file_name}
            result.append({**moved, "content": file.content})
        elif file.content != contents[file.previous].replace("\r\n", "\n"):
            result.append({"action": "update", "file_path": file.previous, "content": file.content})
    return result


def _name(file: FormFile, number: int) -> str:
    return file.file_name or f"snippetfile{number}.txt"
