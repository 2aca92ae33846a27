"""What an application with a client of Unleash asks: the flags of its environment."""

from collections.abc import Iterator, Mapping

from ingot.access.call import Call
from ingot.features.ci.project_flags import queries
from ingot.features.ci.project_flags.policy import CLIENT
from ingot.features.ci.project_flags.rows import StrategyRow
from ingot.features.ci.project_flags.values import USER_LIST
from ingot.kit.endpoint import Answer, Routes
from ingot.kit.entity import UNSET, Entity, UnsetType
from ingot.kit.wildcards import matches_wildcard

client_routes = Routes("Feature flags for applications", guard=CLIENT)
BASE = "/feature_flags/unleash/{project_id}"


class ClientStrategy(Entity):
    """For whom a flag is on, in the words of Unleash."""

    name: str
    parameters: Mapping[str, str]


class ClientFeature(Entity, kw_only=True):
    """A flag of the environment."""

    name: str
    description: str | UnsetType = UNSET
    enabled: bool
    strategies: list[ClientStrategy]


class ClientFeatures(Entity):
    """All flags of the environment."""

    version: int
    features: list[ClientFeature]


@client_routes.get(BASE, status=200)
def get_unleash(call: Call) -> None:
    """Whether the instance id is right."""


@client_routes.get(BASE + "/features", returns=ClientFeatures)
def list_unleash_features(call: Call) -> Answer:
    """The flags of the environment that the header `UNLEASH-APPNAME` names."""
    return ClientFeatures(version=1, features=list(_features(call)))


@client_routes.get(BASE + "/client/features", returns=ClientFeatures)
def list_unleash_client_features(call: Call) -> Answer:
    """The flags of the environment that the header `UNLEASH-APPNAME` names."""
    return list_unleash_features(call)


@client_routes.post(BASE + "/client/register", status=200)
def register_unleash_client(call: Call) -> None:
    """An application starts; nothing is stored."""


@client_routes.post(BASE + "/client/metrics", status=200)
def send_unleash_metrics(call: Call) -> None:
    """How often flags were used; nothing is stored."""


def _features(call: Call) -> Iterator[ClientFeature]:
    request = call.request
    environment = request.headers.get("unleash-appname") or request.query_params.get("app_name")
    if not environment:
        return
    flags = queries.flags_of(call.conn, int(call.path["project_id"]))
    strategies = queries.strategies_of(call.conn, flags)
    scopes = queries.scopes_of(call.conn, strategies)
    for flag in flags:
        used = [
            _strategy(strategy)
            for strategy in strategies.get(flag.id, [])
            if any(matches_wildcard(environment, scope.environment_scope) for scope in scopes.get(strategy.id, []))
        ]
        if used:
            text = UNSET if flag.description is None else flag.description
            yield ClientFeature(name=flag.name, description=text, enabled=flag.active, strategies=used)


def _strategy(row: StrategyRow) -> ClientStrategy:
    if row.name == USER_LIST:
        return ClientStrategy(name="userWithId", parameters={"userIds": row.user_xids or ""})
    return ClientStrategy(name=row.name, parameters=row.parameters)
