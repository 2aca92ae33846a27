"""Finds the trailer block of a commit message by the rules of `git interpret-trailers`."""

from __future__ import annotations

from ingot.kit.patterns import ALPHANUMERIC, consists_of

_WRITTEN_BY_GIT = ("Signed-off-by: ", "(cherry picked from commit ")


def parse_trailers(message: str) -> list[tuple[str, str]]:
    """Pairs of key and unfolded value, in order of appearance; empty when the last paragraph is no trailer block."""
    block = _last_paragraph(message)
    if block is None or not _is_trailer_block(block):
        return []
    result: list[tuple[str, list[str]]] = []
    fold = False
    for line in block:
        if line[:1] in (" ", "\t"):
            if fold:
                result[-1][1].append(line.strip())
            continue
        fold = _is_trailer(line)
        if fold:
            key, _, value = line.partition(":")
            result.append((key.rstrip(" \t"), [value.strip()]))
    return [(key, " ".join(part for part in parts if part)) for key, parts in result]


def _is_trailer(line: str) -> bool:
    key, colon, _ = line.partition(":")
    return bool(colon) and consists_of(key.rstrip(" \t"), f"{ALPHANUMERIC}-")


def _last_paragraph(message: str) -> list[str] | None:
    lines = message.rstrip().split("\n")
    lines = [line.rstrip("\r") for line in lines]
    for index in range(len(lines) - 1, -1, -1):
        if not lines[index].strip():
            return lines[index + 1 :]
    return None  # the only paragraph is the title


def _is_trailer_block(block: list[str]) -> bool:
    """All lines trailers, or one written by git and at least a quarter trailers."""
    trailers = others = 0
    has_line_of_git = False
    possible = False
    for line in block:
        if line[:1] in (" ", "\t"):
            others += 0 if possible else 1
            continue
        if line.startswith(_WRITTEN_BY_GIT):
            has_line_of_git, possible = True, True
            trailers += 1
        elif _is_trailer(line):
            possible = True
            trailers += 1
        else:
            possible = False
            others += 1
    return trailers > 0 and (others == 0 or (has_line_of_git and trailers * 3 >= others))
