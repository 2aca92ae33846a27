"""Parameters of the push rule endpoints."""

from ingot.features.code.push_rules.tables import FIELDS
from ingot.kit.params import Param, Params


class SetPushRule(Params):
    """What pushes must obey; what is not sent keeps its value. Patterns are regular expressions of RE2."""

    deny_delete_tag: bool | None = Param("Git may not delete tags; the API still may.")
    member_check: bool | None = Param("Authors and committers must be users of the instance.")
    prevent_secrets: bool | None = Param("Refuse files whose names are those of secrets, as `id_rsa`.")
    commit_committer_check: bool | None = Param("Committers must be the pusher, by a confirmed email address.")
    commit_committer_name_check: bool | None = Param("Committers must have the pusher's name.")
    reject_unsigned_commits: bool | None = Param("Refuse commits without a signature.")
    reject_non_dco_commits: bool | None = Param("Refuse commits without a line `Signed-off-by:`.")
    commit_message_regex: str | None = Param("Commit messages must match.")
    commit_message_negative_regex: str | None = Param("Commit messages must not match.")
    branch_name_regex: str | None = Param("Branch names must match, except the default branch.")
    author_email_regex: str | None = Param("Author and committer emails must match.")
    file_name_regex: str | None = Param("Paths of new files must not match.")
    max_file_size: int | None = Param("Maximum size of new files in MB; 0 for any size.")
    at_least_one = FIELDS
