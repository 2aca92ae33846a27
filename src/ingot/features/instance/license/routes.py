"""Endpoints of the licence, for administrators. The tier is a setting of the server: no key changes it."""

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR
from ingot.features.instance.license.entities import License, Licensee
from ingot.features.instance.license.queries import measure_usage
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import wire
from ingot.kit.errors import ApiError, Forbidden, RecordNotFound
from ingot.kit.params import Param, Params

routes = Routes("Licence", guard=ADMINISTRATOR, tier="premium")
# A server has one tier, and so one licence.
ONLY_ID = 1


class InvalidKey(ApiError):
    """The license key is invalid."""


class NewLicense(Params):
    """A key."""

    license: str = Param("The key.", required=True)


def _license(call: Call) -> License:
    usage = measure_usage(call.conn)
    return License(
        id=ONLY_ID,
        plan=call.services.settings.tier,
        created_at=wire(usage.since),
        starts_at=usage.since.date(),
        historical_max=usage.active_users,
        maximum_user_count=usage.active_users,
        active_users=usage.active_users,
        licensee=Licensee(),
        add_ons={},
    )


@routes.get("/license", returns=License)
def get_instance_license(call: Call) -> Answer:
    """The tier of the server and how many people use it; 404 on the free tier (administrators)."""
    return _license(call)


@routes.get("/licenses", returns=list[License])
def list_instance_licenses(call: Call) -> Answer:
    """The one licence of the server (administrators)."""
    return [_license(call)]


@routes.post("/license", params=NewLicense, hidden=True)
def add_instance_license(_: Call[NewLicense]) -> None:
    """Refuses every key: the setting `INGOT_TIER` decides."""
    raise InvalidKey


@routes.delete("/license/{id:int}", hidden=True)
def delete_instance_license(call: Call) -> None:
    """Refuses: the setting `INGOT_TIER` decides."""
    if int(call.path["id"]) != ONLY_ID:
        raise RecordNotFound
    raise Forbidden("the tier of this server is its setting INGOT_TIER")
