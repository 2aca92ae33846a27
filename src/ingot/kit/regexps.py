"""Regular expressions that users write: compiled with bounded memory, matched in linear time."""

from typing import Any

import re2


def compile_regexp(text: str) -> Any:
    """The compiled expression; raises `re2.error`."""
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 8 << 20
    return re2.compile(text, options)


def regexp_error(text: str) -> str | None:
    """What the engine says against an expression, or None where it is one."""
    try:
        compile_regexp(text)
    except re2.error as error:
        said = error.args[0] if error.args else ""
        return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return None
