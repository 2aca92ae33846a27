"""A search in code: a phrase, and filters of paths among its words."""

from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import ColumnElement, not_

from ingot.features.code.code_search.tables import code_contents, code_files
from ingot.kit.patterns import HEX, consists_of
from ingot.kit.wildcards import wildcard

# What stands before and after the value.
FORMS = {"filename": ("*", ""), "path": ("*", "*"), "extension": ("*.", ""), "blob": ("", "*")}


class Filter(NamedTuple):
    """One filter; `*` in its value stands for anything."""

    kind: str
    value: str
    is_negated: bool

    @property
    def pattern(self) -> str:
        """The whole path, or the whole id of the content, with stars."""
        before, after = FORMS[self.kind]
        return f"{before}{self.value}{after}"


class CodeQuery(NamedTuple):
    """A phrase in lower case, and filters that hold together."""

    phrase: str
    filters: tuple[Filter, ...]

    @property
    def is_empty(self) -> bool:
        """Nothing is searched for."""
        return not self.phrase and not self.filters

    def conditions(self) -> list[ColumnElement[bool]]:
        """The filters on `code_files` with their `code_contents`."""
        result: list[ColumnElement[bool]] = []
        for one in self.filters:
            column = code_contents.c.sha if one.kind == "blob" else code_files.c.path_lower
            matches = column.like(_like(one.pattern), escape="\\")
            result.append(not_(matches) if one.is_negated else matches)
        return result

    def path_test(self) -> Callable[[str, str], bool]:
        """The filters on a path and the id of its content."""
        tests = [(one.kind == "blob", one.is_negated, wildcard(one.pattern)) for one in self.filters]
        return lambda path, sha: all(
            test(sha if is_id else path.lower()) is not is_negated for is_id, is_negated, test in tests
        )


def _like(pattern: str) -> str:
    """The pattern in the words of SQL; several stars in a row are one."""
    first, *others = pattern.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_").split("*")
    return "%".join([first, *filter(None, others[:-1]), *others[-1:]])


def parse_query(text: str) -> CodeQuery:
    """Filters are words like `filename:x` or `-path:y`, the first of each kind counts; the rest is one phrase."""
    words: list[str] = []
    filters: dict[str, Filter] = {}
    for word in text.lower().split():
        kind, _, value = word.removeprefix("-").partition(":")
        if kind in FORMS and value and (kind != "blob" or consists_of(value, HEX)):
            filters.setdefault(kind, Filter(kind, value, word.startswith("-")))
        else:
            words.append(word)
    return CodeQuery(" ".join(words), tuple(filters.values()))
