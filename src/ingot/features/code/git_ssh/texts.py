"""Messages for the terminal when a command is refused."""

RULE = "=" * 72
NO_SSH = "Git access over SSH is not allowed"
READ_ONLY_KEY = "This deploy key does not have write access to this project."
KEY_EXPIRED = "Your SSH key has expired."
KEY_EXPIRES_SOON = "INFO: Your SSH key is expiring soon. Please generate a new key."
KEY_REMOVED = "Your SSH key was removed."
NOT_CONFIRMED = (
    "Your primary email address is not confirmed. Please check your inbox for the confirmation instructions."
    " In case the link is expired, you can request a new confirmation email at"
)
DISALLOWED = "Disallowed command"
TOO_OFTEN = "This endpoint has been requested too many times. Try again later."
TROUBLE = "Something went wrong on the server. Please try again later."


def block(text: str) -> bytes:
    """A refusal as git clients show it, set off from their own lines."""
    lines = ("", RULE, "", *text.splitlines(), "", RULE, "")
    return "".join(f"remote: {line}".rstrip() + "\n" for line in lines).encode("utf-8", "replace")


def moved(old: str, new: str, url: str) -> bytes:
    """What follows a push to a project's former address."""
    lines = (f"Project '{old}' was moved to '{new}'.", "", "Please update your Git remote:", "")
    return block("\n".join((*lines, f"  git remote set-url origin {url}")))
