"""Long diffs of one file, cut into parts that a page can show."""

from ingot.web.diff_lines import numbered


def part_of(diff: str, wanted: int, most: int) -> tuple[str, int]:
    """One part of a diff, counted from 1, and how many there are; each but the last has at most `most` lines.

    A part that begins inside a hunk has a heading of its own, so that its lines keep their numbers.
    """
    lines = diff.removesuffix("\n").split("\n")
    count = -(-len(lines) // most)
    if count == 1:
        return diff, 1
    first = (min(max(wanted, 1), count) - 1) * most
    part = lines[first : first + most]
    if not part[0].startswith("@@"):
        part.insert(0, _heading(lines, first, part))
    return "\n".join([*part, ""]), count


def _heading(lines: list[str], first: int, part: list[str]) -> str:
    """The heading of a hunk that goes on, with the numbers of its first line."""
    old, new = next(((old, new) for number, _, old, new in numbered(lines) if number >= first), (0, 0))
    end = next((place for place, line in enumerate(part) if line.startswith("@@")), len(part))
    counts = [sum(line[:1] in signs for line in part[:end]) for signs in ((" ", "-"), (" ", "+"))]
    return f"@@ -{old},{counts[0]} +{new},{counts[1]} @@"
