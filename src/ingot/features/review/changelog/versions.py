"""Semantic versions: which is before which, and in which text one is found."""

from collections.abc import Iterable

from ingot.features.review.changelog.errors import Ungenerated
from ingot.kit.patterns import DIGITS, Match, consists_of, pattern
from ingot.kit.regexps import RegexpError, compile_regexp

TAG = (
    r"^v?(?P<major>0|[1-9][0-9]*)\.(?P<minor>0|[1-9][0-9]*)\.(?P<patch>0|[1-9][0-9]*)"
    r"(?:-(?P<pre>[0-9A-Za-z.-]+))?(?:\+(?P<meta>[0-9A-Za-z.-]+))?$"
)
VERSION = pattern(TAG, ascii=True)
LONGEST = 255  # Python refuses to read numbers of thousands of digits
Key = tuple[int, int, int, bool, tuple[tuple[bool, int, str], ...]]


def version_key(text: str) -> Key | None:
    """What versions are ordered by; None for what is no version. One with a suffix is before the one without."""
    match = VERSION.fullmatch(text) if len(text) <= LONGEST else None
    return None if match is None else _key(match)


def _key(match: Match) -> Key:
    parts = match["pre"].split(".") if match["pre"] else []
    suffix = tuple((not part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts)
    return int(match["major"]), int(match["minor"]), int(match["patch"]), match["pre"] is None, suffix


def tag_before(names: Iterable[str], version: str, expression: str) -> str | None:
    """The tag of the highest version below this one; those with a suffix do not count."""
    wanted = version_key(version)
    try:
        tags = compile_regexp(expression)
    except RegexpError as error:
        raise Ungenerated(f"tag_regex is invalid: {error}") from None
    keys = [(key, name) for name in names if (key := _tag_key(tags.search(name))) is not None]
    return max(((key, name) for key, name in keys if wanted is not None and key < wanted), default=(None, None))[1]


def _tag_key(match: Match | None) -> Key | None:
    """None for tags without the three numbers, and for those of a version with a suffix."""
    names = {} if match is None else match.groupdict()
    numbers = [names.get(name) or "" for name in ("major", "minor", "patch")]
    if names.get("pre") or not all(consists_of(number, DIGITS) and len(number) < 19 for number in numbers):
        return None
    return int(numbers[0]), int(numbers[1]), int(numbers[2]), True, ()


def with_section(text: str, version: str, section: str) -> str:
    """The changelog with a new section, before the first of a lower version."""
    wanted = version_key(version)
    lines = text.splitlines(keepends=True)
    for place, line in enumerate(lines):
        if line.startswith("## "):
            key = version_key(line[3:].split(" ")[0].strip())
            if key is not None and wanted is not None and key < wanted:
                return "".join(lines[:place]) + section + "\n" + "".join(lines[place:])
    start = text if not text or text.endswith("\n") else text + "\n"
    return section if not start else f"{start}\n{section}"
