"""What the look of the instance needs beside pages: colours of its messages, and the description of the application."""

from starlette.responses import JSONResponse, Response

from ingot.features.spaces.appearance import current_look
from ingot.web import assets
from ingot.web.call import PageCall
from ingot.web.registry import Pages

pages = Pages("site")


@pages.get("-/appearance.css")
def show_colours(call: PageCall) -> Response:
    """The colours of messages; the policy for pages allows no styles inside them."""
    look = current_look(call.services.db)
    colours = f"background: {look.message_background_color}; color: {look.message_font_color};"
    return Response(f".instance-message {{ {colours} }}\n", media_type="text/css")


@pages.get("-/manifest.json")
def show_manifest(call: PageCall) -> Response:
    """How browsers install the pages as an application."""
    look = current_look(call.services.db)
    icon = {"src": look.pwa_icon or assets.address("mark.svg"), "sizes": "any"}
    name = look.pwa_name or look.title or "Ingot"
    shown = {"name": name, "short_name": look.pwa_short_name or name, "description": look.pwa_description}
    return JSONResponse(
        {**shown, "start_url": "/", "display": "browser", "icons": [icon]}, media_type="application/manifest+json"
    )
