"""The grants of the token endpoint: each turns what a client brings into a pair of tokens."""

from collections.abc import Callable, Mapping

from ingot.features.people.oauth.grants.authorization_code import redeem_code
from ingot.features.people.oauth.grants.client_credentials import grant_to_client
from ingot.features.people.oauth.grants.device_code import redeem_device_code
from ingot.features.people.oauth.grants.password import redeem_password
from ingot.features.people.oauth.grants.refresh import refresh
from ingot.features.people.oauth.grants.request import TokenRequest
from ingot.features.people.oauth.issuing import Issued

GRANTS: Mapping[str, Callable[[TokenRequest], Issued]] = {
    "authorization_code": redeem_code,
    "refresh_token": refresh,
    "urn:ietf:params:oauth:grant-type:device_code": redeem_device_code,
    "device_code": redeem_device_code,
    "password": redeem_password,
    "client_credentials": grant_to_client,
}

__all__ = ["GRANTS", "TokenRequest"]
