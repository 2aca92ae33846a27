"""Bare git over HTTP, to compare with: nginx, fcgiwrap and `git http-backend`, with a password as everywhere."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Self

USER, PASSWORD = "bench", "bench-password"
PROGRAMS = ("nginx", "fcgiwrap")
_PATH = f"{os.environ.get('PATH', os.defpath)}:/usr/sbin"
_CONFIG = """\
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
worker_processes {cores};
user root;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_max_body_size 0;
    client_body_temp_path {folder}/body;
    fastcgi_temp_path {folder}/fastcgi;
    proxy_temp_path {folder}/proxy;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        location / {{
            auth_basic "git";
            auth_basic_user_file {folder}/passwords;
            fastcgi_pass unix:{folder}/fcgi.sock;
            fastcgi_buffering off;
            fastcgi_request_buffering off;
            fastcgi_param SCRIPT_FILENAME {backend};
            fastcgi_param GIT_PROJECT_ROOT {folder}/repositories;
            fastcgi_param GIT_HTTP_EXPORT_ALL 1;
            fastcgi_param GIT_PROTOCOL $http_git_protocol;
            fastcgi_param HTTP_CONTENT_ENCODING $http_content_encoding;
            fastcgi_param PATH_INFO $uri;
            fastcgi_param QUERY_STRING $query_string;
            fastcgi_param REQUEST_METHOD $request_method;
            fastcgi_param CONTENT_TYPE $content_type;
            fastcgi_param CONTENT_LENGTH $content_length;
            fastcgi_param REMOTE_USER $remote_user;
            fastcgi_param REMOTE_ADDR $remote_addr;
        }}
    }}
}}
"""


def missing() -> list[str]:
    """The programs that are not installed."""
    return [name for name in PROGRAMS if shutil.which(name, path=_PATH) is None]


class BareGit:
    """Runs between `with` and its end; repositories appear in it with `create`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []
        self._port = 0

    def __enter__(self) -> Self:
        (self.folder / "repositories").mkdir(parents=True)
        (self.folder / "passwords").write_text(f"{USER}:{{PLAIN}}{PASSWORD}\n")
        self._port = _free_port()
        backend = subprocess.run(["git", "--exec-path"], capture_output=True, text=True, check=True).stdout.strip()
        text = _CONFIG.format(
            folder=self.folder, port=self._port, backend=f"{backend}/git-http-backend", cores=os.cpu_count() or 1
        )
        (self.folder / "nginx.conf").write_text(text)
        environment = {"PATH": _PATH, "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"}
        environment |= {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*"}
        for command in (
            ["fcgiwrap", "-c", "4", "-s", f"unix:{self.folder}/fcgi.sock"],
            ["nginx", "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")],
        ):
            program = shutil.which(command[0], path=_PATH) or command[0]
            self._processes.append(subprocess.Popen([program, *command[1:]], env=environment, process_group=0))
        self._wait()
        return self

    def __exit__(self, *_: object) -> None:
        for process in reversed(self._processes):
            os.killpg(process.pid, signal.SIGTERM)  # fcgiwrap leaves its children behind otherwise
            process.wait(20)

    def create(self, name: str) -> str:
        """An empty repository that may be pushed to; returns its address."""
        path = self.folder / "repositories" / f"{name}.git"
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(path)], check=True)
        subprocess.run(["git", f"--git-dir={path}", "config", "http.receivepack", "true"], check=True)
        return f"http://{USER}:{PASSWORD}@127.0.0.1:{self._port}/{name}.git"

    def _wait(self) -> None:
        for _ in range(500):
            try:
                socket.create_connection(("127.0.0.1", self._port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise RuntimeError(f"nginx did not start: {(self.folder / 'error.log').read_text()}")


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])
