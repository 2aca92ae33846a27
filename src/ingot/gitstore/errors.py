"""What can go wrong in git work, as types. A class's docstring is its default message; the wire texts are literal."""

from __future__ import annotations

from collections.abc import Sequence


class GitError(Exception):
    """The git operation failed."""

    moved_nothing = False  # true where the error says that refs are not, or no more, what the move expected

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or (self.__doc__ or "").strip())

    @property
    def message(self) -> str:
        return str(self.args[0])


class CommandFailed(GitError):
    """A git command failed. `str()` has git's output, for logs; `message` does not."""

    def __init__(self, command: Sequence[str], code: int, stderr: str) -> None:
        super().__init__(f"git {command[0] if command else ''} failed ({code}): {stderr.strip()[:2000]}")
        self.command, self.code, self.stderr = tuple(command), code, stderr

    @property
    def message(self) -> str:
        return "The git operation failed."


class PassingFault(GitError):
    """A temporary fault of the machine, unrelated to the repository."""


class TimedOut(PassingFault):
    """The git operation took too long."""

    status = 503


class Overloaded(PassingFault):
    """The git operation was ended to make room for others. Try again later."""

    status = 503


class NotYet(PassingFault):
    """The git operation is still under way. Try again in a moment."""

    status = 503


class Killed(PassingFault):
    """The git operation was ended from outside. Try again later."""

    status = 503


class StorageAway(PassingFault):
    """The storage of the repository cannot be reached. Try again later."""

    status = 503


class OutputTooLarge(GitError):
    """The git operation produced more output than allowed."""

    status = 413


class TooMuchMemory(GitError):
    """The git operation needs more memory than allowed."""

    status = 413


class ObjectTooLarge(GitError):
    """The object is too large to be read at once."""

    status = 413


class NoSpace(PassingFault):
    """No space left on the repository storage."""

    status = 507


class RepositoryNotFound(GitError):
    """A repository for this project does not exist yet."""


class RepositoryExists(GitError):
    """There is already a repository at this place."""


class CorruptRepository(GitError):
    """The repository is damaged."""


class LockTimeout(PassingFault):
    """The repository is busy. Try again later."""

    status = 503


class RepositoryMoved(PassingFault):
    """The repository is being moved to another storage. Try again."""

    status = 503


class RevisionNotFound(GitError):
    """The revision does not exist."""

    def __init__(self, revision: str) -> None:
        super().__init__(f"invalid revision '{revision}'")
        self.revision = revision


class PathNotFound(GitError):
    """The path does not exist in this revision."""


class InvalidRefName(GitError):
    """The reference name is invalid."""

    def __init__(self, name: str) -> None:
        super().__init__(f"invalid reference name '{name}'")
        self.name = name


class RefNotFound(GitError):
    """The reference does not exist."""

    moved_nothing = True


class RefExists(GitError):
    """The reference already exists."""

    moved_nothing = True


class RefConflict(GitError):
    """A reference with a conflicting name exists."""

    moved_nothing = True


class RefChanged(GitError):
    """The reference was changed by somebody else in the meantime."""

    moved_nothing = True


class UnrelatedHistories(GitError):
    """The two branches have no history in common."""


class MergeConflict(GitError):
    """The changes conflict."""

    def __init__(self, paths: Sequence[str]) -> None:
        super().__init__()
        self.paths = tuple(paths)


class NotFastForward(GitError):
    """The target is not an ancestor of the source."""


class PickFailed(GitError):
    """A commit could not be applied; `code` is `conflict` or `empty`."""

    def __init__(self, verb: str, code: str, paths: Sequence[str] = ()) -> None:
        super().__init__(
            f"Sorry, we cannot {verb} this commit automatically. This commit may already have been "
            f"{_PAST[verb]}, or a more recent commit may have updated some of its content."
        )
        self.code, self.paths = code, tuple(paths)


_PAST = {"cherry-pick": "cherry-picked", "revert": "reverted"}


class BadBundle(GitError):
    """The bundle is not a readable git bundle."""


class BadPush(GitError):
    """The push request is malformed."""


class BadFetch(GitError):
    """The fetch request is malformed."""


class CommitRefused(GitError):
    """The commit could not be made from these actions."""


class FileAlreadyExists(CommitRefused):
    """A file with this name already exists"""


class FileDoesNotExist(CommitRefused):
    """A file with this name doesn't exist"""


class DirectoryAlreadyExists(CommitRefused):
    """A directory with this name already exists"""


class NotOnABranch(CommitRefused):
    """You can only create or edit files when you are on a branch"""


class BranchAlreadyExists(CommitRefused):
    def __init__(self, branch: str) -> None:
        super().__init__(f"A branch called '{branch}' already exists. Switch to that branch in order to make changes")


class InvalidStartSha(CommitRefused):
    def __init__(self, sha: str) -> None:
        super().__init__(f"Invalid start_sha '{sha}'")


class StartShaNotFound(CommitRefused):
    def __init__(self, sha: str) -> None:
        super().__init__(f"Cannot find start_sha '{sha}'")


class StaleFile(CommitRefused):
    """You are attempting to update a file that has changed since you started editing it."""


class InvalidPath(CommitRefused):
    """invalid path"""

    def __init__(self, path: str) -> None:
        super().__init__(f"invalid path: '{path}'")


class InvalidContent(CommitRefused):
    """The content is not valid in the stated encoding"""


class UnsafeObject(CommitRefused):
    """A file of the commit would attack users who check it out"""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"'{path[:200]}' cannot be stored: {reason[:200]}")


class SubmoduleChange(CommitRefused):
    """A submodule has no content or mode of its own to change"""
