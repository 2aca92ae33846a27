"""Path patterns of `rules:changes`, `rules:exists`, `only:changes` and wildcard includes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ingot.features.ci.config.problems import ConfigInvalid
from ingot.features.ci.config.regexps import BadRegexp, compile_plain
from ingot.kit.regexps import LARGE, Expression, TooMuchWork, escape

_MAX_PATTERN = 1024
_MAX_BRACES = 8


def match_any(patterns: Sequence[str], paths: Iterable[str]) -> bool:
    """Whether one of the paths matches one of the patterns."""
    matcher = _compile(patterns)
    return matcher is not None and any(_matches(matcher, path) for path in paths)


def matching(pattern: str, paths: Iterable[str]) -> list[str]:
    matcher = _compile([pattern])
    return [] if matcher is None else [path for path in paths if _matches(matcher, path)]


def has_wildcard(path: str) -> bool:
    return "*" in path


def _matches(matcher: Expression, path: str) -> bool:
    try:
        return matcher.fullmatch(path) is not None
    except TooMuchWork as error:
        raise ConfigInvalid([error.text]) from None


def _compile(patterns: Sequence[str]) -> Expression | None:
    alternatives = [
        _translate(pattern.removeprefix("./").removeprefix("/")) for pattern in patterns if len(pattern) <= _MAX_PATTERN
    ]
    if not alternatives:
        return None
    try:
        return compile_plain("(?s)(?:" + "|".join(alternatives) + ")", LARGE)
    except BadRegexp:
        return None


def _translate(pattern: str) -> str:
    """Shell pattern to expression: `*` and `?` stop at slashes, `**/` spans folders, `{a,b}` chooses."""
    out: list[str] = []
    braces = 0
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if pattern.startswith("**/", at) and (at == 0 or pattern[at - 1] == "/"):
            out.append("(?:[^/]+/)*")
            at += 3
            continue
        if char == "*":
            while at + 1 < len(pattern) and pattern[at + 1] == "*":
                at += 1
            out.append("[^/]*")
        elif char == "?":
            out.append("[^/]")
        elif char == "[" and (end := pattern.find("]", at + 2)) > 0:
            inner = pattern[at + 1 : end].replace("\\", "\\\\").replace("[", "\\[")
            out.append("[^" + inner[1:] + "]" if inner[0] in "!^" else f"[{inner}]")
            at = end
        elif char == "{" and braces < _MAX_BRACES and "}" in pattern[at:]:
            braces += 1
            out.append("(?:")
        elif char == "}" and braces:
            braces -= 1
            out.append(")")
        elif char == "," and braces:
            out.append("|")
        elif char == "\\" and at + 1 < len(pattern):
            at += 1
            out.append(escape(pattern[at]))
        else:
            out.append(escape(char))
        at += 1
    return "".join(out) + ")" * braces
