"""Endpoints of application settings (administrators)."""

from typing import Any

from sqlalchemy import delete, insert

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR
from ingot.features.instance.application_settings.catalog import ChangeSettings
from ingot.features.instance.application_settings.checks import problems_of, weights_of
from ingot.gitstore import storages_of
from ingot.identity.sessions import end_impersonations
from ingot.instance import application_settings
from ingot.instance.tables import application_settings_table as stored
from ingot.kit.changes import Change, report_change
from ingot.kit.clock import now
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.errors import Invalid

routes = Routes("Application settings", guard=ADMINISTRATOR)


@routes.get("/application/settings", returns=dict[str, Any])
def get_application_settings(call: Call) -> Answer:
    """All settings of the instance."""
    return application_settings(call.conn)


@routes.put("/application/settings", params=ChangeSettings, returns=dict[str, Any])
def change_application_settings(call: Call) -> Answer:
    """Change settings of the instance; what is left out stays, an empty value brings the default back."""
    given = call.params.given()
    if weighted := given.get("repository_storages_weighted"):
        given["repository_storages_weighted"] = weights_of(weighted)
    storages = storages_of(call.services).roots
    problems = {name: texts for name, value in given.items() if (texts := problems_of(name, value, storages))}
    if problems:
        raise Invalid(problems)
    with call.write() as tx:
        before = application_settings(tx)
        tx.execute(delete(stored).where(stored.c.name.in_(list(given))))
        remaining = [(name, value) for name, value in given.items() if value is not None]
        for name, value in remaining:
            tx.execute(insert(stored).values(name=name, value=value, updated_at=now()))
        after = application_settings(tx)
        if not after["impersonation_enabled"]:
            end_impersonations(tx)
        report_change(tx, Change("application_settings", "update", 1, details={"before": before, "after": after}))
    return after
