"""`cache`: checked here, used only by the runner."""

from __future__ import annotations

from urllib.parse import unquote

from ingot.features.ci.config.plan import Cache
from ingot.features.ci.config.problems import Problems
from ingot.features.ci.config.shapes import Entry, as_list, as_text, is_scalar

_KEYS = ("key", "untracked", "paths", "when", "policy", "unprotect", "fallback_keys")
_POLICIES = ("pull-push", "push", "pull")
_WHEN = ("on_success", "on_failure", "always")
_MAX_CACHES = 4
_MAX_FALLBACK_KEYS = 5
_MAX_KEY_FILES = 2


def parse_caches(where: str, value: object, problems: Problems) -> tuple[Cache, ...]:
    if value is None:
        return ()
    place = f"{where}:cache"
    items = as_list(value)
    if len(items) > _MAX_CACHES:
        problems.add(f"{where}:caches", f"config no more than {_MAX_CACHES} caches can be created")
        return ()
    return tuple(cache for item in items if (cache := _cache(place, item, problems)) is not None)


def _cache(place: str, value: object, problems: Problems) -> Cache | None:
    if not isinstance(value, dict):
        problems.add(place, "config should be a hash")
        return None
    if not value:
        return None
    entry = Entry(place, value, problems)
    entry.allow_keys(_KEYS)
    policy = value.get("policy")
    if policy is not None and not (isinstance(policy, str) and (policy in _POLICIES or "$" in policy)):
        entry.fail("policy should be a variable or one of: pull-push, push, pull")
    fallback = entry.strings("fallback_keys") or ()
    if len(fallback) > _MAX_FALLBACK_KEYS:
        entry.fail(f"fallback keys has to many entries (maximum {_MAX_FALLBACK_KEYS})")
    key, files, commits, prefix = _key(entry)
    return Cache(
        key=key,
        key_files=files,
        key_files_commits=commits,
        key_prefix=prefix,
        paths=entry.strings("paths") or (),
        untracked=entry.boolean("untracked") or False,
        policy=policy if isinstance(policy, str) else "pull-push",
        when=entry.one_of("when", _WHEN) or "on_success",
        fallback_keys=fallback,
        unprotect=entry.boolean("unprotect") or False,
    )


def _key(entry: Entry) -> tuple[str | None, tuple[str, ...], bool, str | None]:
    """The fixed key, or the files (content or commits) that determine it, and its prefix."""
    value = entry.get("key")
    if value is None:
        return None, (), False, None
    place = f"{entry.where}:key"
    if is_scalar(value):
        text = as_text(value)
        plain = unquote(text)
        if "/" in plain:
            entry.problems.add(place, 'config cannot contain the "/" character')
        elif plain in (".", ".."):
            entry.problems.add(place, 'config cannot be "." or ".."')
        return text, (), False, None
    if not isinstance(value, dict):
        entry.problems.add(place, "should be a hash, a string or a symbol")
        return None, (), False, None
    key = Entry(place, value, entry.problems)
    key.allow_keys(("files", "files_commits", "prefix"))
    if ("files" in value) == ("files_commits" in value):
        key.fail("config must use exactly one of these keys: files, files_commits")
    name = "files_commits" if "files_commits" in value else "files"
    files = key.strings(name) or ()
    if not 1 <= len(files) <= _MAX_KEY_FILES:
        entry.problems.add(
            f"{place}:{name}",
            f"config requires at least 1 item and has too many items (maximum is {_MAX_KEY_FILES})"
            if len(files) > _MAX_KEY_FILES
            else "config requires at least 1 item",
        )
    return None, files, name == "files_commits", key.text("prefix")
