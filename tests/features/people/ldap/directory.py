"""A real directory (slapd) with a few people, in a process of its own."""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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


@contextmanager
def running_directory(folder: Path) -> Iterator[str]:
    """Start slapd; gives its address."""
    program = find_slapd()
    assert program is not None
    (folder / "db").mkdir()
    config, entries = folder / "slapd.conf", folder / "people.ldif"
    config.write_text(CONFIG.format(schema=SCHEMA, folder=folder, base=BASE))
    people = (("ada", "staff"), ("ben", "staff"), ("cleo", "staff"), ("guest", "visitor"))
    lines = [PERSON.format(uid=uid, name=uid.title(), kind=kind, base=BASE) for uid, kind in people]
    entries.write_text(ENTRIES + "".join(lines))
    tool = str(Path(program).with_name("slapadd"))
    subprocess.run([tool, "-f", str(config), "-l", str(entries)], check=True, capture_output=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"ldap://127.0.0.1:{port}"
    with subprocess.Popen([program, "-f", str(config), "-h", address, "-d", "0"]) as process:
        try:
            until(lambda: _answers(port))
            yield address
        finally:
            process.terminate()


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
