"""What newer runners write before each line of a log: when it was written, by which stream, and whether it goes on.

`2026-05-14T11:19:20.000000Z 01O Text` is a line of the script's output. With `+` in place of the last space it
continues the stream's line before: the runner had to send that one before it ended, as with bars of progress.
"""

from typing import NamedTuple

from ingot.kit.patterns import pattern

LENGTH = 32
_TIME = slice(11, 19)
_STREAM = slice(28, 31)
_HEAD = pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z [0-9a-f]{2}[EO][ +]")


class HeadedLine(NamedTuple):
    """A line; without a head it has neither time nor stream."""

    text: str
    time: str = ""
    stream: str = ""
    continues: bool = False


def read_head(line: str) -> HeadedLine:
    """A line of a log without its head."""
    # Most lines of logs without heads are told by one sign.
    if line[26:27] != "Z" or _HEAD.fullmatch(line[:LENGTH]) is None:
        return HeadedLine(line)
    return HeadedLine(line[LENGTH:], line[_TIME], line[_STREAM], line[LENGTH - 1] == "+")


def without_head(line: str) -> str:
    """The text of a line."""
    return read_head(line).text
