"""The environment of a job's scripts: variables expanded by each other, files written out."""

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ingot.runner.job import Variable

_REFERENCE = re.compile(r"\$(\$|\{?([A-Za-z_][A-Za-z0-9_]*)\}?)")
# Nothing else of the runner's own environment reaches a job.
_INHERITED = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "USER", "LOGNAME", "SSL_CERT_FILE", "TZ")


def environment(variables: Sequence[Variable], files: Path, own: Mapping[str, str]) -> dict[str, str]:
    """Names to values; `own` are those that only the runner knows."""
    values: dict[str, str] = {}
    raw: set[str] = set()
    for variable in variables:
        key, value = variable.key, variable.value
        if variable.file:
            place = files / re.sub(r"[^A-Za-z0-9_]", "_", key)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.touch(mode=0o600)
            place.write_text(value)
            value = str(place)
            raw.add(key)
        elif variable.raw:
            raw.add(key)
        else:
            raw.discard(key)
        values[key] = value
    values.update(own)
    expanded = {key: value if key in raw else _expand(value, values, raw, (key,)) for key, value in values.items()}
    inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    return {**inherited, **{key: value for key, value in expanded.items() if "\0" not in value}}


def _expand(text: str, values: Mapping[str, str], raw: set[str], seen: tuple[str, ...]) -> str:
    def replacement(match: re.Match[str]) -> str:
        name = match[2]
        if name is None:
            return "$"
        if name in seen or name not in values:
            return ""
        return values[name] if name in raw else _expand(values[name], values, raw, (*seen, name))

    return _REFERENCE.sub(replacement, text) if "$" in text else text
