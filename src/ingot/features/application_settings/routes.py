"""Endpoints of application settings (administrators)."""

from typing import Any

from sqlalchemy import delete, insert

from ingot.access.policy import ADMINISTRATOR
from ingot.features.application_settings.catalog import BOUNDS, ChangeSettings
from ingot.instance import application_settings
from ingot.instance.tables import application_settings_table as stored
from ingot.kit.call import Call
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
    problems = {name: texts for name, value in given.items() if (texts := _problems(name, value))}
    if problems:
        raise Invalid(problems)
    with call.write() as tx:
        tx.execute(delete(stored).where(stored.c.name.in_(list(given))))
        kept = [(name, value) for name, value in given.items() if value is not None]
        for name, value in kept:
            tx.execute(insert(stored).values(name=name, value=value, updated_at=now()))
        return application_settings(tx)


def _problems(name: str, value: Any) -> list[str]:
    if isinstance(value, bool) or not isinstance(value, int):
        return ["is too long (maximum is 1024 characters)"] if isinstance(value, str) and len(value) > 1024 else []
    lowest, highest = BOUNDS.get(name, (0, 2**31 - 1))
    if value < lowest:
        return [f"must be greater than or equal to {lowest}"]
    return [f"must be less than or equal to {highest}"] if value > highest else []
