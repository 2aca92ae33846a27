"""A security key in software: makes keys and signs challenges, also in ways that no honest key does."""

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, HAS_KEY = 0x01, 0x40


def text(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()


class SecurityKey:
    """One key, bound to the host for which it was made."""

    def __init__(self) -> None:
        self._private = ec.generate_private_key(ec.SECP256R1())
        self._id = secrets.token_bytes(32)
        self.counter = 1

    def create(self, options: str, origin: str) -> str:
        """The answer to a page that asks for a new key."""
        asked = json.loads(options)
        point = self._private.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        named = bytes(16) + len(self._id).to_bytes(2, "big") + self._id + cbor2.dumps(cose)
        about = self._about(asked["rp"]["id"], PRESENT | HAS_KEY) + named
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": about})
        client = self._client("webauthn.create", asked["challenge"], origin)
        return self._answer({"clientDataJSON": text(client), "attestationObject": text(attestation)})

    def sign(self, options: str, origin: str, host: str | None = None) -> str:
        """The answer to a page that asks for the key."""
        asked = json.loads(options)
        self.counter += 1
        about = self._about(host or asked["rpId"], PRESENT)
        client = self._client("webauthn.get", asked["challenge"], origin)
        signature = self._private.sign(about + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        parts = {"clientDataJSON": client, "authenticatorData": about, "signature": signature}
        return self._answer({name: text(value) for name, value in parts.items()})

    def _about(self, host: str, flags: int) -> bytes:
        return hashlib.sha256(host.encode()).digest() + bytes([flags]) + self.counter.to_bytes(4, "big")

    def _client(self, kind: str, challenge: str, origin: str) -> bytes:
        assert urlsafe_b64decode(challenge + "==")
        return json.dumps({"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": False}).encode()

    def _answer(self, response: dict[str, str]) -> str:
        return json.dumps({"id": text(self._id), "rawId": text(self._id), "type": "public-key", "response": response})
