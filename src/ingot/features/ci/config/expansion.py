"""`$NAME`, `${NAME}` and `$$` in texts, and variables that refer to other variables."""

from __future__ import annotations

from collections.abc import Mapping

from ingot.kit.patterns import Match, pattern

_VARIABLE = pattern(r"\$\$|\$([A-Za-z_][A-Za-z0-9_]*)|\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
MAX_EXPANDED = 65_536


def expand(text: str, scope: Mapping[str, str], *, keep_unknown: bool = False) -> str:
    """The text with variables replaced once; `$$` is a literal dollar, unknown names are empty unless kept."""

    def replacement(match: Match) -> str:
        name = match[1] or match[2]
        if name is None:
            return "$"
        value = scope.get(name)
        if value is None:
            return str(match[0]) if keep_unknown else ""
        return value

    return _VARIABLE.sub(replacement, text) if "$" in text else text


def names_in(text: str) -> set[str]:
    """The variables that a text mentions."""
    return {name for match in _VARIABLE.finditer(text) if (name := match[1] or match[2])}


def contains_variable(text: object) -> bool:
    return isinstance(text, str) and bool(names_in(text))


def expand_scope(scope: Mapping[str, str], raw: frozenset[str] | set[str] = frozenset()) -> dict[str, str]:
    """Every value with its references to other variables resolved.

    A variable in a cycle keeps its own text, and so does one whose result would pass `MAX_EXPANDED`.
    """
    done: dict[str, str] = {name: value for name, value in scope.items() if name in raw or "$" not in value}
    for name in scope:
        if name not in done:
            _resolve(name, scope, done)
    return done


def _resolve(name: str, scope: Mapping[str, str], done: dict[str, str]) -> None:
    # Depth-first without recursion: chains may be as long as the file allows.
    opened: set[str] = set()
    stack = [name]
    while stack:
        current = stack[-1]
        if current in done:
            stack.pop()
            continue
        references = {item[1] or item[2] for item in _VARIABLE.finditer(scope[current])} - {None}
        missing = [other for other in references if other in scope and other not in done]
        if missing and current not in opened:
            opened.add(current)
            if any(other in opened for other in missing):
                done[current] = scope[current]
            else:
                stack.extend(missing)
            continue
        if missing:
            done[current] = scope[current]
        else:
            length = sum(len(done.get(item[1] or item[2] or "", "")) for item in _VARIABLE.finditer(scope[current]))
            done[current] = scope[current] if length > MAX_EXPANDED else expand(scope[current], done, keep_unknown=True)
        stack.pop()
