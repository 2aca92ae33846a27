"""Bytes that are too many for one object."""

import os
import subprocess
from pathlib import Path

from ingot.kit.spool import PIECE, Spool


def test_what_was_written_is_read_again_and_again() -> None:
    spool = Spool()
    content = os.urandom(2 * PIECE + 5)
    for start in range(0, len(content), 100_000):
        spool.write(content[start : start + 100_000])

    assert spool.size == len(content)
    assert b"".join(spool.pieces()) == content
    assert subprocess.run(["cat"], stdin=spool.rewound(), capture_output=True, check=True).stdout == content
    assert b"".join(spool.pieces()) == content


def test_the_file_goes_with_the_spool() -> None:
    spools = [Spool(), Spool()]
    numbers = [spool.rewound().fileno() for spool in spools]
    files = [os.fstat(number).st_ino for number in numbers]
    assert [Path(f"/proc/self/fd/{number}").readlink().exists() for number in numbers] == [False] * 2
    spools.clear()

    # Others may have opened something with the same number.
    assert [_file_of(number) == file for number, file in zip(numbers, files, strict=True)] == [False] * 2


def _file_of(number: int) -> int | None:
    try:
        return os.fstat(number).st_ino
    except OSError:
        return None
