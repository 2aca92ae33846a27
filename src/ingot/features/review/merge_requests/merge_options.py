"""The options of a merge, from the API, a quick action or a push, now or when the checks pass."""

from typing import Any

import msgspec

from ingot.features.review.merge_requests.rows import MergeRequestRow


class MergeOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How to merge. Stored with a request that waits for its checks."""

    auto_merge: bool = False
    sha: str | None = None
    squash: bool = False
    merge_commit_message: str | None = None
    squash_commit_message: str | None = None
    should_remove_source_branch: bool | None = None
    url: str = ""

    def stored(self, head_sha: str | None) -> dict[str, Any]:
        """As the request keeps them, bound to its current head."""
        result: dict[str, Any] = msgspec.to_builtins(msgspec.structs.replace(self, sha=head_sha))
        return result


def stored_options(row: MergeRequestRow) -> MergeOptions:
    """The options of a request that waits for its checks."""
    return msgspec.convert(row.auto_merge_options or {}, MergeOptions)
