"""The endpoint that renders Markdown."""

from ingot.access.call import Call
from ingot.access.policy import SIGNED_IN
from ingot.access.subjects import get_project
from ingot.features.spaces.markdown.rendering import render
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import Entity
from ingot.kit.params import Param, Params
from ingot.kit.patterns import pattern

routes = Routes("Markdown")
# Text and values are escaped, so these are tags; those that say their side themselves keep it.
_BLOCK = pattern(r"<(p|h[1-6]|ul|ol)( [^>]*)?>")


class RenderMarkdown(Params):
    """A text to render."""

    text: str = Param("The text.", required=True)
    gfm: bool = Param("Link references such as `#1`, `!2`, `~label` and `@name`.", default=False)
    project: str | None = Param("Full path of the project that the text is about.")


class RenderedMarkdown(Entity):
    """Safe HTML."""

    html: str


@routes.post("/markdown", guard=SIGNED_IN, params=RenderMarkdown, returns=RenderedMarkdown, scopes=("read_api",))
def render_markdown(call: Call[RenderMarkdown]) -> Answer:
    """Render Markdown as HTML that cannot run anything."""
    options = call.params
    project = get_project(call.conn, call.actor, options.project) if options.project else None
    html = render(call, options.text, project, references=options.gfm)
    # Each block is written from the side on which its own words begin.
    return RenderedMarkdown(html=_BLOCK.sub(lambda tag: _with_side(tag[1] or "", tag[2] or ""), html))


def _with_side(name: str, attributes: str) -> str:
    return f"<{name}{attributes}>" if " dir=" in attributes else f'<{name} dir="auto"{attributes}>'
