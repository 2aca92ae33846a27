import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy import update

from ingot.features.code.git_ssh.account_commands import create_personal_token
from ingot.features.code.git_ssh.holders import Holder, KeyName, KeyRefused, load_holder
from ingot.identity.tables import personal_access_tokens
from ingot.kit.clock import today
from tests.support.world import World


def test_a_key_of_a_bot_creates_no_token_and_ends_with_the_token_of_the_bot(world: World) -> None:
    owner = world.user()
    path = f"/projects/{world.project(owner)['id']}/access_tokens"
    token = owner.client.ok("POST", path, json={"name": "bot", "scopes": ["api"], "access_level": 40})
    text = Ed25519PrivateKey.generate().public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()
    key = world.server.client(token["token"]).ok("POST", "/user/keys", json={"title": "key", "key": text})
    services = world.server.services

    def holder() -> Holder:
        with services.db.read() as conn:
            return load_holder(services, conn, KeyName("key", key["id"]), world.server.url)

    with pytest.raises(KeyRefused, match="Bots"):
        create_personal_token(services, holder(), ("more", "api"))
    with services.db.write() as tx:
        mine = personal_access_tokens.c.id == token["id"]
        tx.execute(update(personal_access_tokens).where(mine).values(expires_at=today()))
    with pytest.raises(KeyRefused, match="expired"):
        holder()
