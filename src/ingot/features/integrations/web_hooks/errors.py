"""What is wrong with a hook, in the words of the wire."""

from ingot.kit.errors import ParamError


class HookRefused(ParamError):
    """`{"error": text}` with 422."""

    status = 422


class InvalidUrl(HookRefused):
    """Invalid url given"""


class InvalidBranchFilter(HookRefused):
    """Invalid branch filter given"""


class InvalidPair(HookRefused):
    """Illegal key or value"""
