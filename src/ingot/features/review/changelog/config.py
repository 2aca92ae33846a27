"""How a project wants its changelog: `.gitlab/changelog_config.yml`."""

import msgspec

from ingot.features.review.changelog.errors import Ungenerated
from ingot.features.review.changelog.template import DEFAULT
from ingot.features.review.changelog.versions import TAG
from ingot.gitstore import Repository, objects, revisions
from ingot.kit.patterns import pattern

LARGEST = 1 << 16
MOST_GROUPS = 100
# No widths: the C library would pad a date to any length.
DATE_FORMAT = pattern(r"(?:[^%]|%-?[A-Za-z%]){0,64}")


class ChangelogConfig(msgspec.Struct, frozen=True):
    """`categories`: what trailers are called in the notes. `include_groups`: paths of groups whose people are named."""

    date_format: str = "%Y-%m-%d"
    template: str = DEFAULT
    tag_regex: str = TAG
    categories: dict[str, str] = msgspec.field(default_factory=dict)
    include_groups: list[str] = msgspec.field(default_factory=list)


def read_config(repository: Repository, ref: str, path: str) -> ChangelogConfig:
    """The configuration at a ref; the default one where there is no file."""
    sha = revisions.find(repository, ref)
    blob = objects.find_blob(repository, sha, path) if sha is not None else None
    if blob is None:
        return ChangelogConfig()
    if len(blob.content) > LARGEST:
        raise Ungenerated(f"{path} is larger than {LARGEST} bytes")
    content = _load(blob.content, path)
    if not isinstance(content, dict):
        raise Ungenerated(f"{path} does not hold a mapping")
    known = {name: content[name] for name in ChangelogConfig.__struct_fields__ if content.get(name) is not None}
    try:
        config = msgspec.convert(known, ChangelogConfig)
        msgspec.json.encode(config)  # halves of characters have no UTF-8
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise Ungenerated(f"{path} is invalid: {error}") from None
    if DATE_FORMAT.fullmatch(config.date_format) is None:
        raise Ungenerated(f"{path} has an invalid date_format")
    if len(config.include_groups) > MOST_GROUPS:
        raise Ungenerated(f"{path} has more than {MOST_GROUPS} include_groups")
    return config


def _load(content: bytes, path: str) -> object:
    """The value of a YAML text. Aliases are refused: nested merges of them grow without limit."""
    import yaml

    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(content, Loader=yaml.SafeLoader)):
            raise Ungenerated(f"{path} has aliases, which are not supported")
        return yaml.safe_load(content)
    # Tags that do not fit their values make the loader fail in many ways: `!!int ""`, `!!bool x`, `!!timestamp x`.
    except (yaml.YAMLError, ValueError, LookupError, AttributeError, TypeError, RecursionError):
        raise Ungenerated(f"{path} is not valid YAML") from None
