"""How the C library holds memory for this process: in few places, and large pieces go back to the system at once.

Left to itself, glibc gives up to eight arenas to each core. Threads then leave holes in all of them, which nobody else
uses and `malloc_trim` hardly finds: a worker with forty threads held 18 MB of holes after five minutes, a third of what
it had, and one with two arenas held a single megabyte. Python makes one object at a time in any case, so that two are
enough for what libraries do beside it.
"""

import ctypes
from contextlib import suppress

ARENAS = 2
LARGE = 256 * 1024  # bytes; left to itself, this limit rises to the largest piece that was ever given back
# Numbers of glibc's `mallopt`.
_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8


def hold_little() -> None:
    """Called before threads begin: an arena that is there stays. Other C libraries have nothing to set here."""
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(_ARENA_MAX, ARENAS)
        library.mallopt(_MMAP_THRESHOLD, LARGE)
        library.mallopt(_TRIM_THRESHOLD, LARGE)
