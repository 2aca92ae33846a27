"""What can end a run early, and which faults are worth another attempt."""

import errno

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from ingot.kit.os_faults import FULL, is_away

_PASSING_OS_FAULTS = FULL | {errno.EMFILE, errno.ENFILE}


class Interruption(BaseException):
    """The run ends here although its work is not finished. Handlers clean up and let it pass.

    Not an `Exception`, so that code which records bad input and goes on cannot swallow it.
    """


class Cancelled(Interruption):
    """The job was cancelled, for instance because its project was deleted."""


class LeaseLost(Interruption):
    """Another worker has this job now; nothing more may be written for it here."""


class Stopping(Interruption):
    """This worker is stopping; the job goes on from its last recorded step elsewhere."""


class JobFailed(Exception):
    """The work cannot succeed. Its text is the sentence that people will read."""


class TimedOut(JobFailed):
    """The work took longer than its limit."""


class Transient(Exception):
    """A fault that may pass by itself: the job is tried again, up to its limit."""


def is_transient(fault: BaseException) -> bool:
    """Whether another attempt may succeed where this one met `fault`."""
    # Stores that are away or full name the status that the API would answer with.
    if getattr(fault, "transient", False) or getattr(fault, "status", None) in (503, 507):
        return True
    if isinstance(fault, DBAPIError) and fault.connection_invalidated:
        return True
    if is_away(fault) or (isinstance(fault, OSError) and fault.errno in _PASSING_OS_FAULTS):
        return True
    return isinstance(fault, (Transient, OperationalError, InterfaceError, PoolTimeout, ConnectionError, TimeoutError))


def sentence_of(fault: BaseException) -> str:
    """The sentence shown for a final failure; the text of unexpected faults stays in the log, it may hold secrets."""
    if isinstance(fault, JobFailed) and str(fault):
        return str(fault)
    sentence = getattr(fault, "sentence", None)
    if isinstance(sentence, str) and sentence:
        return sentence
    is_full = isinstance(fault, OSError) and fault.errno in FULL
    if is_full or getattr(fault, "status", None) == 507:
        return "The server's disk is full."
    if isinstance(fault, (DBAPIError, PoolTimeout)):
        return "The database could not be reached."
    if is_transient(fault):
        return f"A required service did not respond ({type(fault).__name__})."
    return f"An unexpected error stopped the job ({type(fault).__name__})."
