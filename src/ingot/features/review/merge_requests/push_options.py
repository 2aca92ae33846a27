"""The `merge_request.*` options of a push, read into one value. What they do is in `commands.by_push`."""

from collections.abc import Iterable

import msgspec

MANY = ("assign", "unassign", "label", "unlabel")
SWITCHES = ("auto_merge", "create", "draft", "remove_source_branch", "squash")
TEXTS = ("description", "milestone", "target", "target_project", "title")
ALIASES = {"merge_when_pipeline_succeeds": "auto_merge"}
OFF = ("0", "f", "false", "n", "no", "off")


class RequestOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The merge request options of a push. None: not given."""

    create: bool = False
    auto_merge: bool | None = None
    draft: bool | None = None
    remove_source_branch: bool | None = None
    squash: bool | None = None
    description: str | None = None
    milestone: str | None = None
    target: str | None = None
    target_project: str | None = None
    title: str | None = None
    assign: tuple[str, ...] = ()
    unassign: tuple[str, ...] = ()
    label: tuple[str, ...] = ()
    unlabel: tuple[str, ...] = ()


def read_options(options: Iterable[str]) -> RequestOptions | None:
    """The options, or None if there are none for merge requests; unknown keys are ignored."""
    single: dict[str, bool | str] = {}
    many: dict[str, list[str]] = {}
    for option in options:
        place, _, rest = option.partition(".")
        key, _, value = rest.partition("=")
        key, value = key.strip(), value.strip()
        key = ALIASES.get(key, key)
        if place.strip() not in ("merge_request", "mr"):
            continue
        if key in SWITCHES:
            single[key] = value.lower() not in OFF
        elif key in TEXTS and value:
            single[key] = value.replace("\\n", "\n") if key == "description" else value
        elif key in MANY and value:
            many.setdefault(key, []).append(value)
    if not single and not many:
        return None
    lists = {key: tuple(dict.fromkeys(values)) for key, values in many.items()}
    return RequestOptions(**single, **lists)  # type: ignore[arg-type]
