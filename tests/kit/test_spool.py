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
    descriptors = Path("/proc/self/fd")
    before = len(list(descriptors.iterdir()))

    spools = [Spool(), Spool()]
    assert len(list(descriptors.iterdir())) == before + 2
    assert [Path(f"/proc/self/fd/{spool.rewound().fileno()}").readlink().exists() for spool in spools] == [False] * 2
    spools.clear()

    assert len(list(descriptors.iterdir())) == before
