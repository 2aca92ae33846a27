"""Parameters of files."""

from ingot.kit.params import Param, Params
from ingot.kit.spool import Spool


def path_problem(path: str) -> str | None:
    """A path that leaves the repository is refused."""
    parts = path.split("/")
    return "should be a valid file path" if ".." in parts or path.startswith("/") or "\x00" in path else None


class InFile(Params):
    """The file named by the path."""

    file_path: str = Param("URL-encoded full path of the file.", required=True, blank=False, check=path_problem)


class GetFile(InFile):
    """A file at a revision."""

    ref: str = Param("Branch, tag or commit; `HEAD` is the default branch.", required=True, blank=False)


class GetRawFile(InFile):
    """The content of a file at a revision."""

    ref: str | None = Param("Branch, tag or commit; the default branch when absent.")
    lfs: bool = Param("Send the object that an LFS pointer names.", default=False)


class BlameRangeParams(Params):
    """Lines of a file, from 1, both ends included."""

    start: int = Param("First line.", required=True)
    end: int = Param("Last line.", required=True)


class BlameFile(GetFile):
    """Who wrote which lines."""

    range: BlameRangeParams | None = Param("Only these lines.")


class ChangeFile(InFile):
    """Parameters of every change of a file."""

    branch: str = Param("Branch to commit to.", required=True, blank=False)
    commit_message: str = Param("The message.", required=True, blank=False)
    start_branch: str | None = Param("Branch to start the new branch from.")
    author_email: str | None = Param("Author's address.")
    author_name: str | None = Param("Author's name.")


class WriteFile(ChangeFile):
    """The new content."""

    content: str | Spool = Param("The content.", required=True, spooled=True)
    encoding: str | None = Param("`text` or `base64`.", one_of=("base64", "text"))
    execute_filemode: bool | None = Param("Whether the file can be executed.")


class UpdateFile(WriteFile):
    """The new content, and the version it is based on."""

    last_commit_id: str | None = Param("Last known commit of the file.")


class DeleteFile(ChangeFile):
    """Which version is deleted."""

    last_commit_id: str | None = Param("Last known commit of the file.")
