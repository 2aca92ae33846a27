"""A real directory (slapd) with a few people and a certificate, in a process of its own."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from tests.support.ports import free_port
from tests.support.waiting import until

BASE = "dc=example,dc=org"
SCHEMA = Path("/etc/ldap/schema")
ENTRIES = f"""dn: {BASE}
objectClass: dcObject
objectClass: organization
o: Example
dc: example

dn: ou=people,{BASE}
objectClass: organizationalUnit
ou: people
"""
PERSON = """
dn: uid={uid},ou=people,{base}
objectClass: inetOrgPerson
uid: {uid}
cn: {name}
sn: {name}
mail: {uid}@corp.example
userPassword: {uid}-password
employeeType: {kind}
"""
CONFIG = """include {schema}/core.schema
include {schema}/cosine.schema
include {schema}/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile {folder}/slapd.pid
TLSCertificateFile {folder}/server.pem
TLSCertificateKeyFile {folder}/server.key
disallow bind_anon
database mdb
suffix "{base}"
rootdn "cn=admin,{base}"
rootpw admin-password
directory {folder}/db
"""


def find_slapd() -> str | None:
    """The program, where it is installed."""
    return shutil.which("slapd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


@dataclass(frozen=True)
class Directory:
    """A directory that runs: its two addresses, and the file of the authority that signed its certificate."""

    url: str
    secure_url: str
    authority: str


def write_certificates(folder: Path) -> Path:
    """A key and a certificate for `localhost`, which signs itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    moment = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(moment - timedelta(hours=1))
        .not_valid_after(moment + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    (folder / "server.key").write_bytes(private)
    file = folder / "server.pem"
    file.write_bytes(certificate.public_bytes(Encoding.PEM))
    return file


@contextmanager
def running_directory(folder: Path) -> Iterator[Directory]:
    """Start slapd."""
    program = find_slapd()
    assert program is not None
    (folder / "db").mkdir()
    authority = write_certificates(folder)
    config, entries = folder / "slapd.conf", folder / "people.ldif"
    config.write_text(CONFIG.format(schema=SCHEMA, folder=folder, base=BASE))
    people = (
        ("ada", "staff"),
        ("ben", "staff"),
        ("cleo", "staff"),
        ("dora", "staff"),
        ("finn", "staff"),
        ("greta", "staff"),
        ("guest", "visitor"),
    )
    lines = [PERSON.format(uid=uid, name=uid.title(), kind=kind, base=BASE) for uid, kind in people]
    entries.write_text(ENTRIES + "".join(lines))
    tool = str(Path(program).with_name("slapadd"))
    subprocess.run([tool, "-f", str(config), "-l", str(entries)], check=True, capture_output=True)
    port, secure = free_port(), free_port()
    addresses = f"ldap://127.0.0.1:{port} ldaps://127.0.0.1:{secure}"
    with subprocess.Popen([program, "-f", str(config), "-h", addresses, "-d", "0"]) as process:
        try:
            until(lambda: _answers(port) and _answers(secure))
            yield Directory(f"ldap://localhost:{port}", f"ldaps://localhost:{secure}", str(authority))
        finally:
            process.terminate()


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
