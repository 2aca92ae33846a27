"""Whether the signature of a commit or tag is that of the person whose address it carries."""

import base64
import binascii
from collections.abc import Mapping, Sequence
from itertools import islice
from time import thread_time

import msgspec

from ingot.access.call import Call
from ingot.features.code.repository.signature_entities import (
    PgpSignature,
    SignatureFields,
    SshSignature,
    X509Signature,
)
from ingot.features.people.gpg_keys import (
    SigningKeyRow,
    Verdict,
    find_signing_keys,
    keep_verdicts,
    kept_verdicts,
    users_of,
)
from ingot.features.people.users import UserKeyRow, find_keys_for_signing, show_key, signing_addresses
from ingot.features.spaces.projects import repository_of
from ingot.gitstore.signed_objects import SignedObject, signed_commit
from ingot.kit.errors import ServiceUnavailable
from ingot.kit.faults import storing_if_possible
from ingot.kit.openpgp import Issuer, is_signed_by, issuers
from ingot.kit.ssh_signatures import BEGINNING as SSH_BEGINNING
from ingot.kit.ssh_signatures import is_signed_for_git, read_ssh_signature

MOST_JUDGED = 100  # commits of a list
# Of processor time, for all of them: keys can be long, and many can claim to have made a signature.
JUDGING_SECONDS = 1.0
LONGEST_NAME = 255  # of those that are kept: keys can claim any, and a list has many signatures
# Statuses that tell whose key made a signature.
OF_KEYS = frozenset({"verified", "same_user_different_email", "other_user", "unverified_key"})
X509_BEGINNING, X509_END = b"-----BEGIN SIGNED MESSAGE-----", b"-----END SIGNED MESSAGE-----"


class Signers(msgspec.Struct, frozen=True):
    """The keys that signatures name, the addresses of their owners, and what was found of the signatures before."""

    pgp: Mapping[Issuer, Sequence[SigningKeyRow]]
    kept: Mapping[str, Verdict]
    ssh: Mapping[str, UserKeyRow]
    addresses: Mapping[int, set[str]]


def load_signers(call: Call, signed: Mapping[str, SignedObject]) -> Signers:
    """What judging these signatures needs, in the same few statements for one and for many."""
    by_pgp = {name: each for name, each in signed.items() if not _is_ssh(each) and not _is_x509(each)}
    makers = {maker for each in by_pgp.values() for maker in issuers(each.signature)[:1]}
    prints = {
        parts.fingerprint for each in signed.values() if _is_ssh(each) and (parts := read_ssh_signature(each.signature))
    }
    pgp, ssh = find_signing_keys(call.conn, makers), find_keys_for_signing(call.conn, prints)
    owners = {row.user_id for rows in pgp.values() for row in rows} | {row.user_id for row in ssh.values()}
    known = kept_verdicts(call.conn, call.project.id, by_pgp)
    return Signers(pgp, known, ssh, signing_addresses(call.conn, owners))


def judge(call: Call, name: str, signed: SignedObject, address: str) -> SignatureFields:
    """The signature with its status; `name` is the id of the object, `address` that of the committer or tagger."""
    signers = load_signers(call, {name: signed})
    if _is_ssh(signed):
        status, key = _ssh(signers, signed, address.lower())
        shown = None if key is None else show_key(call, key)
        return SshSignature(signature_type="SSH", verification_status=status, key=shown, commit_source="gitaly")
    if _is_x509(signed):
        return _x509(signed)
    verdict = _pgp(signers, name, signed, address.lower())
    _keep(call, signers, {name: verdict})
    return verdict


def signature_statuses(call: Call, committers: Mapping[str, str]) -> dict[str, str]:
    """The status of each signed commit of the project, by its id; given with the addresses of the committers.

    Only of the first ones in a long list, and of no more than can be judged in a moment.
    """
    repository = repository_of(call.services, call.project)
    few = islice(committers, MOST_JUDGED)
    signed = {sha: commit for sha in few if (commit := signed_commit(repository, sha)) is not None}
    signers = load_signers(call, signed)
    end = thread_time() + JUDGING_SECONDS
    result: dict[str, str] = {}
    by_pgp: dict[str, PgpSignature] = {}
    for sha, commit in signed.items():
        if thread_time() > end:
            break
        if _is_ssh(commit):
            result[sha] = _ssh(signers, commit, committers[sha].lower())[0]
        elif _is_x509(commit):
            result[sha] = "unverified"
        else:
            by_pgp[sha] = _pgp(signers, sha, commit, committers[sha].lower())
            result[sha] = by_pgp[sha].verification_status
    _keep(call, signers, by_pgp)
    return result


def _keep(call: Call, signers: Signers, found: Mapping[str, PgpSignature]) -> None:
    """Remember what was found by keys that are there, where it is new and can be stored."""
    verdicts = {
        name: Verdict(
            each.verification_status,
            each.gpg_key_id,
            each.gpg_key_primary_keyid or "",
            each.gpg_key_user_name and each.gpg_key_user_name[:LONGEST_NAME],
            each.gpg_key_user_email and each.gpg_key_user_email[:LONGEST_NAME],
        )
        for name, each in found.items()
        if each.gpg_key_id is not None and each.verification_status in OF_KEYS
    }
    fresh = {name: verdict for name, verdict in verdicts.items() if signers.kept.get(name) != verdict}
    if not fresh:
        return
    with storing_if_possible(ServiceUnavailable), call.write() as tx:  # a database may only read for now
        keep_verdicts(tx, call.project.id, fresh)


def _is_ssh(signed: SignedObject) -> bool:
    return signed.signature.lstrip().startswith(SSH_BEGINNING)


def _is_x509(signed: SignedObject) -> bool:
    return signed.signature.lstrip().startswith(X509_BEGINNING)


def _pgp(signers: Signers, name: str, signed: SignedObject, address: str) -> PgpSignature:
    makers = issuers(signed.signature)
    if len(makers) > 1 or signed.count > 1:
        return _of_unknown_key("multiple_signatures", makers)
    rows = signers.pgp[makers[0]] if makers else []
    # Anybody can hang somebody else's key below their own as a subkey; such a block verifies nothing.
    maker = next((row for row in rows if is_signed_by(row.key, signed.signature, signed.payload)), None)
    if maker is None and name in signers.kept:
        return _of_deleted_key(signers.kept[name])
    if not rows:
        return _of_unknown_key("unknown_key" if makers else "unverified", makers)
    row = maker or rows[0]
    if row.revoked_at is not None:
        return _of_unknown_key("unverified", makers)
    confirmed = signers.addresses[row.user_id]
    status = "unverified" if maker is None else _status_of_key(row, confirmed, address)
    return _of_key(status, row, confirmed, address)


def _status_of_key(row: SigningKeyRow, confirmed: set[str], address: str) -> str:
    proven = {email.lower() for _, email in users_of(row)} & confirmed
    if not proven:
        return "unverified_key"
    if address in proven:
        return "verified"
    return "same_user_different_email" if address in confirmed else "other_user"


def _of_key(status: str, row: SigningKeyRow, confirmed: set[str], address: str) -> PgpSignature:
    """With the name of the key that fits best: that of the commit, else a proven one."""
    names = sorted(users_of(row), key=lambda pair: (pair[1].lower() != address, pair[1].lower() not in confirmed))
    name, email = names[0] if names else (None, None)
    return PgpSignature(
        signature_type="PGP",
        verification_status=status,
        gpg_key_id=row.id,
        gpg_key_primary_keyid=row.primary_keyid,
        gpg_key_user_name=name,
        gpg_key_user_email=email,
        gpg_key_subkey_id=row.subkey_id,
        commit_source="gitaly",
    )


def _of_deleted_key(verdict: Verdict) -> PgpSignature:
    """As it was found while somebody had the key."""
    return PgpSignature(
        signature_type="PGP",
        verification_status=verdict.status,
        gpg_key_id=None,
        gpg_key_primary_keyid=verdict.primary_keyid,
        gpg_key_user_name=verdict.user_name,
        gpg_key_user_email=verdict.user_email,
        gpg_key_subkey_id=None,
        commit_source="gitaly",
    )


def _of_unknown_key(status: str, makers: list[Issuer]) -> PgpSignature:
    return PgpSignature(
        signature_type="PGP",
        verification_status=status,
        gpg_key_id=None,
        gpg_key_primary_keyid=makers[0].key_id if makers else None,
        gpg_key_user_name=None,
        gpg_key_user_email=None,
        gpg_key_subkey_id=None,
        commit_source="gitaly",
    )


def _ssh(signers: Signers, signed: SignedObject, address: str) -> tuple[str, UserKeyRow | None]:
    """The status, and the key that made the signature."""
    parts = read_ssh_signature(signed.signature)
    if parts is None or not is_signed_for_git(parts, signed.payload):
        return "unverified", None
    key = signers.ssh.get(parts.fingerprint)
    if key is None:
        return "unknown_key", None
    return "verified" if address in signers.addresses[key.user_id] else "other_user", key


def _x509(signed: SignedObject) -> X509Signature:
    """Nobody told this server which certificate authorities to trust, so none is verified."""
    from ingot.features.code.repository.certificates import read_certificate

    text = signed.signature.strip().removeprefix(X509_BEGINNING).partition(X509_END)[0]
    try:
        certificate = read_certificate(base64.b64decode(b"".join(text.split()), validate=True))
    except binascii.Error:
        certificate = None
    return X509Signature(
        signature_type="X509",
        verification_status="unverified",
        x509_certificate=certificate,
        commit_source="gitaly",
    )
