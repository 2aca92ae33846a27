"""The frame of every page, and its safety headers: no scripts, no frames, forms only to ourselves."""

from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.types import Receive, Scope, Send

STYLE_SHEET = "/assets/current/app.css"
THEME_COOKIE = "_ingot_theme"
THEMES = ("light", "dark")
TAB_COOKIE = "_ingot_tab_width"
TAB_WIDTHS = ("2", "3", "4", "6", "8")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
        "frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class ThemedPage(HTMLResponse):
    """A page in the colours that the browser is to show, which its cookie says."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        theme = theme_of(Request(scope))
        if theme:
            body = bytes(self.body).replace(b'<html lang="en">', f'<html lang="en" data-theme="{theme}">'.encode(), 1)
            self.body = body
            self.headers["Content-Length"] = str(len(body))
        await super().__call__(scope, receive, send)


def theme_of(request: Request) -> str:
    """The colours that this browser is to show: light, dark, or empty for those of its system."""
    chosen = request.cookies.get(THEME_COOKIE, "")
    return chosen if chosen in THEMES else ""


def tab_width_of(request: Request) -> str:
    """How many columns a tab takes in code that this browser shows; empty where nobody chose."""
    chosen = request.cookies.get(TAB_COOKIE, "")
    return chosen if chosen in TAB_WIDTHS else ""


def page(title: str, body: str, status: int = 200) -> HTMLResponse:
    """A whole page; `body` is trusted markup whose variable parts are escaped by the caller."""
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<title>{escape(title)} - Ingot</title><link rel="stylesheet" href="{STYLE_SHEET}">'
        '<link rel="icon" href="/assets/current/mark.svg"></head><body class="small">'
        '<header class="top"><a class="mark" href="/">Ingot</a></header>'
        f'<main class="narrow"><h1>{escape(title)}</h1>{body}</main></body></html>'
    )
    return ThemedPage(text, status_code=status, headers=HEADERS)


def problem(title: str, reason: str, status: int) -> HTMLResponse:
    """A page that says what went wrong."""
    return page(title, f'<p class="problem">{escape(reason)}</p>', status)
