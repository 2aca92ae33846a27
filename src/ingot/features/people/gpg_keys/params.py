"""Parameters of the endpoints of GPG keys."""

from ingot.kit.params import Param, Params


class AddGpgKey(Params):
    """A GPG key."""

    key: str = Param("The public key as an armoured block.", required=True)
