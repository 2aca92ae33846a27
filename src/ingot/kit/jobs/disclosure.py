"""What the log may say about a fault: where it happened and what it was, without credentials.

Handlers work with presigned addresses and keys of other people's stores, and libraries put those into their messages.
"""

import traceback

from ingot.kit.patterns import pattern

_ADDRESS = pattern(r"(?P<scheme>[a-z][a-z0-9+.-]*://)(?:[^\s/@]*@)?(?P<host>[^\s/?#'\"]*)[^\s'\"]*", ignore_case=True)
_NAMED = pattern(
    r"(?P<name>[\w-]*(?:token|secret|password|passwd|signature|credential|authorization|api[_-]?key|access[_-]?key)[\w-]*)"
    r"(?P<sign>['\"]?\s*[:=]\s*)(?:['\"]?(?:basic|bearer)\s+)?[^\s,;&)}\]]+",
    ignore_case=True,
)
_LONG = 500


def disclosed(text: str) -> str:
    """The text with addresses cut to their host and named secrets blanked."""
    text = _ADDRESS.sub(lambda result: f"{result['scheme']}{result['host']}/…", text)
    text = _NAMED.sub(lambda result: f"{result['name']}{result['sign']}…", text)
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"


def account_of(fault: BaseException) -> str:
    """Type, message and places of a fault and of its causes, for the log."""
    parts: list[str] = []
    seen: set[int] = set()
    current: BaseException | None = fault
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        places = "".join(traceback.format_tb(current.__traceback__))
        parts.append(f"{type(current).__name__}: {disclosed(str(current))}\n{places}")
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
    return "caused by ".join(parts)
