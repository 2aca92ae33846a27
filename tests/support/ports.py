"""Free ports for servers that are started a moment later.

What the system names as free it may give to the next who asks before the server has taken it: another server then
answers the calls. These ports lie below those that the system gives out, and each process of a test run has its own.
"""

import os
import random
import socket
from contextlib import closing
from itertools import cycle

FIRST, EACH = 12_000, 2_000
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw9").removeprefix("gw")) % 10
_MINE = [FIRST + WORKER * EACH + place for place in range(EACH)]
_START = random.SystemRandom().randrange(EACH)  # another run on the machine hardly begins at the same port
_ports = cycle(_MINE[_START:] + _MINE[:_START])


def free_port() -> int:
    """A port of 127.0.0.1 on which nobody listens, and that is not given out twice."""
    for port in _ports:
        with closing(socket.socket()) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("unreachable: the ports are walked over and over")
