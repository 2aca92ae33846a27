"""Git over SSH: fetch, push and archive, by a server of our own and behind the machine's OpenSSH."""

from ingot.features.code.git_ssh.host_keys import host_fingerprints
from ingot.features.code.git_ssh.lfs_access import open_with_token
from ingot.features.code.git_ssh.process import serve_ssh

__all__ = ["host_fingerprints", "open_with_token", "serve_ssh"]
