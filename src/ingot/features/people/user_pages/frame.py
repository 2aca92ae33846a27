"""The frame of every page, and its safety headers: no scripts, no frames, forms only to ourselves."""

from html import escape

from starlette.responses import HTMLResponse

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem;color:#222}"
    "h1{font-size:1.5rem}label{display:block;margin:.8rem 0 .2rem}input[type=text],input[type=password],"
    "input[type=date]{width:100%;padding:.4rem;font:inherit;box-sizing:border-box}button{margin-top:1rem;"
    "padding:.45rem 1rem;font:inherit}code{background:#f0f0f0;padding:.2rem .4rem;word-break:break-all}"
    "table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3rem;border-bottom:1px solid #ddd}"
    ".problem{color:#a00}nav{display:flex;justify-content:space-between}"
)

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def page(title: str, body: str, status: int = 200) -> HTMLResponse:
    """A whole page; `body` is trusted markup whose variable parts are escaped by the caller."""
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)} - Ingot</title><style>{_STYLE}</style></head>"
        f"<body><h1>{escape(title)}</h1>{body}</body></html>"
    )
    return HTMLResponse(text, status_code=status, headers=HEADERS)


def problem(title: str, reason: str, status: int) -> HTMLResponse:
    """A page that says what went wrong."""
    return page(title, f'<p class="problem">{escape(reason)}</p>', status)
