"""Parameters of the endpoints for owners."""

from ingot.kit.params import Param, Params


class NewExternUid(Params):
    """The person's new name at the identity provider."""

    extern_uid: str = Param("New external UID.", required=True)
