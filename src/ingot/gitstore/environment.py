"""The environment and configuration of every git process: no user settings, hooks or credentials."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

# Command-scope configuration: wins over the repository's own file, and is the only scope where safe.directory counts.
_CONFIG = {
    "safe.directory": "*",
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "core.alternateRefsCommand": "/bin/true",
    "core.pager": "cat",
    "core.attributesFile": "/dev/null",
    # Larger files are never held whole by git: it streams them, and calls them binary in diffs.
    "core.bigFileThreshold": "32m",
    # Packing stays within bounds that do not grow with the repository or with the number of cores.
    "pack.threads": "2",
    "pack.windowMemory": "256m",
    "pack.deltaCacheSize": "64m",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "transfer.credentialsInUrl": "die",
    "diff.renames": "true",
    "diff.renameLimit": "1000",
    "merge.renameLimit": "1000",
    "advice.detachedHead": "false",
}


Config = Mapping[str, str] | Sequence[tuple[str, str]]
"""Configuration of one call; pairs where a key has several values."""


def environment(extra: Mapping[str, str] | None = None, config: Config | None = None) -> dict[str, str]:
    """Environment of a git process: nothing of the service's own leaks in, nobody's configuration is read."""
    env = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/nonexistent",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_PROTOCOL_FROM_USER": "0",
    }
    if "TMPDIR" in os.environ:
        env["TMPDIR"] = os.environ["TMPDIR"]
    added = list(config.items()) if isinstance(config, Mapping) else list(config or ())
    settings = [*_CONFIG.items(), *added]  # a later value of the same key wins
    env["GIT_CONFIG_COUNT"] = str(len(settings))
    for index, (key, value) in enumerate(settings):
        env[f"GIT_CONFIG_KEY_{index}"] = key
        env[f"GIT_CONFIG_VALUE_{index}"] = value
    return {**env, **(extra or {})}
