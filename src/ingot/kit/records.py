"""Makes msgspec look at every record type before threads read one.

It looks at a type when it first reads one, and another thread that reads the same type meanwhile meets it half known,
which ends the process: a node that had just started died so of two runners that ended their jobs in the same moment.
"""

from contextlib import suppress

import msgspec

_learned: set[type[msgspec.Struct]] = set()


def learn_records() -> None:
    """Called where all types are loaded and no thread has begun."""
    pending = list(msgspec.Struct.__subclasses__())
    while pending:
        kind = pending.pop()
        pending += kind.__subclasses__()
        if kind in _learned:
            continue
        _learned.add(kind)
        with suppress(TypeError, NameError):  # it holds what cannot be read, so that nobody reads it
            msgspec.json.Decoder(kind)
