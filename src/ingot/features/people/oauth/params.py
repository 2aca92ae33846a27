"""Parameters of the application endpoints."""

from ingot.kit.params import Paging, Param, Params


class ListApplications(Paging):
    """The list takes nothing but its page."""


class CreateApplication(Params):
    """A new application."""

    name: str = Param("Name.", required=True)
    redirect_uri: str = Param("Where people are sent back to, one address on each line.", required=True)
    scopes: str = Param("Scopes, separated by spaces.", required=True)
    confidential: bool = Param("The application can keep a secret, as a server can.", default=True)
    trusted: bool = Param("People are not asked for their consent.", default=False)
