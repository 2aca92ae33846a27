"""Messages of refused ref changes, for terminals and endpoints."""

NO_PUSH = "You are not allowed to push code to this project."
PROTECTED_PUSH = "You are not allowed to push code to protected branches on this project."
PROTECTED_CREATE = "You are not allowed to create protected branches on this project."
PROTECTED_DELETE = (
    "You are not allowed to delete protected branches from this project."
    " Only a project maintainer or owner can delete a protected branch."
)
DELETE_BY_WEB = "You can only delete protected branches using the web interface."
DEFAULT_DELETE = "The default branch of a project cannot be deleted."
TAG_CHANGE = "You are not allowed to change existing tags on this project."
TAG_UPDATE = "Protected tags cannot be updated."
TAG_CREATE = "You are not allowed to create this tag as it is protected."
TAG_DELETE = (
    "You are not allowed to delete protected tags from this project."
    " Only a project maintainer or owner can delete a protected tag."
)
TAG_DELETE_BY_WEB = "You can only delete protected tags using the web interface."
HEX_BRANCH = "You cannot create a branch with a 40-character hexadecimal branch name."
HIDDEN_REF = "You are not allowed to change this reference."
BAD_NAME = "The name of the reference is invalid."


def refusal(text: str) -> str:
    """As the terminal shows it."""
    return f"GitLab: {text}"
