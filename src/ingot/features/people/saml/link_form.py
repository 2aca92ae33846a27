"""The form that connects an identity to an account: by a click for the signed-in requester, else by a token."""

from html import escape

from ingot.features.people.saml.rows import PendingLinkRow
from ingot.identity.form_tokens import masked
from ingot.identity.rows import SessionRow

LINK_PAGE = "/-/saml/link"

_PROOF = f"""<p>An account with your email address already exists. To connect it, prove that it is yours with one of
its personal access tokens (scope <code>api</code>). Do this only if you started this sign-in yourself.</p>
<form method="post" action="{LINK_PAGE}"><label for="proof">Personal access token</label>
<input type="password" id="proof" name="proof" autocomplete="off"><button>Connect</button></form>"""


def link_form(pending: PendingLinkRow, session: SessionRow | None, problem: str) -> str:
    """Markup of the page; `session` only where its person had asked for this sign-in."""
    words = (
        f"<p>You signed in to <strong>{escape(pending.group_name)}</strong> as"
        f" <code>{escape(pending.extern_uid)}</code>.</p>"
    )
    words += (
        "<p>The operators of this group's identity provider can then sign in as you. "
        "Connect only if you trust them.</p>"
    )
    if problem:
        words += f'<p class="problem">{escape(problem)}</p>'
    if session is None:
        return words + _PROOF
    return (
        f"{words}<p>Connect it to your account <strong>@{escape(session.username)}</strong>?</p>"
        f'<form method="post" action="{LINK_PAGE}">'
        f'<input type="hidden" name="authenticity_token" value="{masked(session.csrf)}">'
        "<button>Connect</button></form>"
    )
