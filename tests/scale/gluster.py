"""A replicated GlusterFS volume as processes of this machine: two bricks, mounted twice, and the one that heals.

The volume is described by files of our own, so that no management daemon is asked and nothing outside the folder is
touched. Clients cache neither names nor attributes, as docs/operating.md demands.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.scale.cluster import Process
from tests.support.ports import free_port
from tests.support.waiting import until

BRICK = """
volume posix
    type storage/posix
    option directory {folder}
end-volume
volume locks
    type features/locks
    subvolumes posix
end-volume
volume index
    type features/index
    option index-base {folder}/.glusterfs/indices
    option xattrop-dirty-watchlist trusted.afr.dirty
    option xattrop-pending-watchlist trusted.afr.v-
    subvolumes locks
end-volume
volume server
    type protocol/server
    option transport-type tcp
    option transport.socket.listen-port {port}
    option transport.socket.bind-address 127.0.0.1
    option auth.addr.index.allow 127.0.0.1
    subvolumes index
end-volume
"""
CONNECTION = """
volume v-client-{number}
    type protocol/client
    option transport-type tcp
    option remote-host 127.0.0.1
    option remote-port {port}
    option remote-subvolume index
    option ping-timeout 10
end-volume
"""
REPLICATE = """
volume v-replicate
    type cluster/replicate
    option afr-pending-xattr v-client-0,v-client-1
    option data-self-heal on
    option metadata-self-heal on
    option entry-self-heal on
    {healing}
    subvolumes v-client-0 v-client-1
end-volume
"""
HEALING = """option iam-self-heal-daemon on
    option self-heal-daemon on
    option heal-timeout 5"""


class Volume:
    """Started by `running_volume`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._logs = folder / "logs"
        self._logs.mkdir(parents=True)
        ports = [free_port(), free_port()]
        self.folders = [folder / f"brick-{number}" for number in (0, 1)]
        self.mounts = [folder / f"mount-{number}" for number in (0, 1)]
        self.bricks = [self._brick(number, port) for number, port in enumerate(ports)]
        connections = "".join(CONNECTION.format(number=number, port=port) for number, port in enumerate(ports))
        client, healer = folder / "client.vol", folder / "healer.vol"
        client.write_text(connections + REPLICATE.format(healing=""))
        healer.write_text(connections + REPLICATE.format(healing=HEALING))
        self._others: list[Process] = []
        try:
            words = ["--process-name", "glustershd", "--client-pid=-6"]
            self._others.append(self._start("glusterfs", healer, "healer", *words))
            for number, mount in enumerate(self.mounts):
                mount.mkdir()
                fresh = ["--entry-timeout=0", "--attribute-timeout=0", "--negative-timeout=0"]
                self._others.append(self._start("glusterfs", client, f"mount-{number}", *fresh, str(mount)))
            for mount in self.mounts:
                until(lambda place=mount: _is_served(place))  # type: ignore[misc]
        except BaseException:
            self.close()
            raise

    def _brick(self, number: int, port: int) -> Process:
        folder = self.folders[number]
        (folder / ".glusterfs").mkdir(parents=True)
        described = self._folder / f"brick-{number}.vol"
        described.write_text(BRICK.format(folder=folder, port=port))
        return self._start("glusterfsd", described, f"brick-{number}")

    def _start(self, program: str, described: Path, name: str, *words: str) -> Process:
        log = self._logs / name
        command = [program, "-N", "-f", str(described), "-l", str(log), "-p", f"{log}.pid", *words]
        return Process(command, dict(os.environ), self._logs / f"{name}.out")

    def unhealed(self) -> list[str]:
        """What one brick has and the other lacks, as the bricks note it."""
        result = []
        for folder in self.folders:
            for kind in ("xattrop", "dirty"):
                place = folder / ".glusterfs" / "indices" / kind
                names = [path.name for path in place.iterdir()] if place.is_dir() else []
                result += [f"{folder.name} {name}" for name in names if not name.startswith(("xattrop-", "dirty-"))]
        return result

    def is_healed(self) -> bool:
        """Whether every mount writes to both bricks, and both have everything: then one of them may die."""
        return all(_writes_to_all(mount) for mount in self.mounts) and not self.unhealed()

    def wait_until_healed(self) -> None:
        until(self.is_healed)

    def differences(self) -> list[str]:
        """What is not the same in both bricks; nobody writes meanwhile."""
        first, second = (_contents(folder) for folder in self.folders)
        return sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))

    def close(self) -> None:
        for mount in self.mounts:
            subprocess.run(["umount", "-l", str(mount)], check=False, capture_output=True)
        for process in (*self._others, *self.bricks):
            process.kill()


def _is_served(mount: Path) -> bool:
    """Whether a write reaches the bricks."""
    if not os.path.ismount(mount):
        return False
    try:
        (mount / "probe").write_text("x")
    except OSError:
        return False
    return True


def _writes_to_all(mount: Path) -> bool:
    """As the client itself says: it connects again some seconds after a brick has started."""
    try:
        known = (mount / ".meta" / "graphs" / "active" / "v-replicate" / "private").read_text()
    except OSError:
        return False
    return all(f"\nchild_up[{number}] = 1" in known for number in (0, 1))


def _contents(folder: Path) -> dict[str, bytes]:
    found = {}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        if not name.startswith(".glusterfs"):
            found[name] = path.read_bytes() if path.is_file() else b""
    return found


def why_not() -> str:
    """The sentence that says why no volume can be had here; empty where one can."""
    if shutil.which("glusterfsd") is None:
        return "GlusterFS is not installed (Debian: glusterfs-server)."
    if os.geteuid() != 0 or not os.access("/dev/fuse", os.R_OK | os.W_OK):
        return "Only root can mount here, and only with /dev/fuse."
    return ""


@contextmanager
def running_volume(folder: Path) -> Iterator[Volume]:
    volume = Volume(folder)
    try:
        yield volume
    finally:
        volume.close()
