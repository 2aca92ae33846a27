"""Integrations of projects and groups: the list, and a page with the settings of each that does something."""

from ingot.access.policy import ADMIN_PROJECT, OWN_GROUP
from ingot.features.integrations.project_integrations import NAMED, Kind
from ingot.instance.outbound import is_silent
from ingot.web.call import PageCall, View
from ingot.web.fields import Input
from ingot.web.guards import InGroup, InProject
from ingot.web.pages import group_settings, project_settings
from ingot.web.registry import Pages
from ingot.web.sections import Frame, Settings, SettingsPage, declare

project = Pages("project")
group = Pages("group")
PATH = "settings/integrations"
OF_PROJECT, OF_GROUP = InProject(ADMIN_PROJECT, needs_user=True), InGroup(OWN_GROUP, needs_user=True)


def _page(place: str, slug: str, kind: Kind) -> SettingsPage:
    """The page of one integration: secrets are typed and never shown, its switches say what it hears of."""
    inputs = (
        *(Input(name, kind="secret") for name in kind.secret),
        *(Input(name, shows=f"properties.{name}") for name in kind.shown),
        *(Input(name) for name in kind.sends),
    )
    section = Settings(
        "integration", kind.title, f"{place}/integrations/{slug}", inputs, is_optional=True, creates="PUT", sends=True,
        facts=(("On", "active"), ("Inherited from a parent group", "inherited"), ("Changed", "updated_at")),
        empty="Not set up here or in a parent group. Save to turn it on.", remove="Turn off",
    )  # fmt: skip
    return SettingsPage(f"{PATH}/{slug}/edit", kind.title, (section,), above=PATH)


def _declare(pages: Pages, place: str, frame: Frame, guard: InProject | InGroup) -> None:
    def list_integrations(call: PageCall) -> View:
        """Those that do something, and which of them are on."""
        active = {row["slug"]: row for row in call.ask(f"{place}/integrations", per_page="100")}
        kinds = [(slug, kind.title, active.get(slug)) for slug, kind in NAMED.items()]
        return frame(call, "integrations", "settings", kinds=kinds, is_silent=is_silent(call.conn))

    pages.get(PATH, guard=guard)(list_integrations)
    for slug, kind in NAMED.items():
        declare(pages, _page(place, slug, kind), frame, guard)


_declare(project, "/projects/:id", project_settings.settings_view, OF_PROJECT)
_declare(group, "/groups/:id", group_settings.settings_view, OF_GROUP)
