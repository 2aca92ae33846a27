"""Answers that git clients understand: 401 makes them ask for credentials, a plain text is shown behind `remote:`."""

ACCESS_DENIED = (
    "HTTP Basic: Access denied. If a password was provided for Git authentication, the password was incorrect or"
    " you're required to use a token instead of a password. If a token was provided, it was either incorrect,"
    " expired, or improperly scoped."
)
# The manual of GitLab has this section; the server's own opens the page on git.
HELP = "/help/topics/git/troubleshooting_git.md#error-on-git-fetch-http-basic-access-denied"
PROJECT_NOT_FOUND = "The project you were looking for could not be found or you don't have permission to view it."
NO_REPOSITORY = "A repository for this project does not exist yet."
NO_DOWNLOAD = "You are not allowed to download code from this project."
NO_HTTP = "Git access over HTTP is not allowed"
NO_UPLOAD = "You are not allowed to upload code."
ARCHIVED = "You are not allowed to push code to this project. It is archived and can only be read."
READ_ONLY = "The repository is temporarily read-only. Please try again later."
TOO_MANY = "Too many clones, fetches and pushes are under way. Please try again in a minute."
DUMB = "Only the smart HTTP protocol is spoken here. Please upgrade your git client."


class GitRefused(Exception):
    """The request is answered with a status and a sentence."""

    def __init__(self, status: int, text: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(text)
        self.status = status
        self.text = text
        self.headers = headers or {}


def with_help(refused: GitRefused, base_url: str) -> str:
    """The sentence; where credentials were refused, with the address of the page that explains it."""
    return f"{refused.text} See {base_url.rstrip('/')}{HELP}" if refused.text == ACCESS_DENIED else refused.text


def unauthorized() -> GitRefused:
    """Ask for credentials."""
    return GitRefused(401, ACCESS_DENIED, {"WWW-Authenticate": 'Basic realm="GitLab"'})


def forbidden(text: str) -> GitRefused:
    """The caller is known and may not."""
    return GitRefused(403, text)


def not_found(text: str = PROJECT_NOT_FOUND) -> GitRefused:
    """There is nothing here for this caller."""
    return GitRefused(404, text)


def moved(location: str) -> GitRefused:
    """The project answers elsewhere; git follows for the whole conversation."""
    return GitRefused(301, f"This resource has been moved permanently to {location}", {"Location": location})
