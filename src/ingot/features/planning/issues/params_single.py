"""The number of an issue in a path."""

from ingot.kit.params import Param, Params


class OneIssue(Params):
    """The number in the path."""

    issue_iid: int = Param("Internal id of the issue.", required=True)
