"""Endpoints of the appearance (administrators)."""

import msgspec

from ingot.access.call import Call
from ingot.access.policy import ADMINISTRATOR
from ingot.features.spaces.appearance import commands
from ingot.features.spaces.appearance.current import read_look
from ingot.features.spaces.appearance.entities import Appearance
from ingot.features.spaces.appearance.params import ChangeAppearance
from ingot.kit.endpoint import Answer, Routes

routes = Routes("Appearance", guard=ADMINISTRATOR)


@routes.get("/application/appearance", returns=Appearance)
def get_appearance(call: Call) -> Answer:
    """The look of the instance."""
    return Appearance(**msgspec.structs.asdict(read_look(call.conn)))


@routes.put("/application/appearance", params=ChangeAppearance, returns=Appearance, uses_store=True)
def change_appearance(call: Call[ChangeAppearance]) -> Answer:
    """Change the look of the instance; what is left out stays. Pictures are sent as `multipart/form-data`."""
    commands.change(call)
    return Appearance(**msgspec.structs.asdict(read_look(call.conn)))
