"""Where configuration files come from: what the compiler needs of a repository at one commit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol


class RemoteFailed(Exception):
    """A remote file could not be fetched; the text follows `could not be fetched because `."""


class Files(Protocol):
    """The files of one project at the commit of the pipeline."""

    def read(self, path: str) -> str | None:
        """The text of a file, None when it does not exist."""

    def paths(self) -> Iterable[str]:
        """Every file path, for wildcards and `rules:exists`."""

    def project(self, full_path: str, ref: str | None) -> Files | None:
        """The files of another project the user may read, None when invisible or without that ref."""

    def tags(self, full_path: str) -> Iterable[str] | None:
        """The tags of another project the user may read, None when invisible."""

    def remote(self, url: str) -> str:
        """The content at an external address. Raises `RemoteFailed`."""

    def template(self, key: str) -> str | None:
        """The text of a template that comes with the server, None when there is none of this key."""


class WithoutProject:
    """What a remote file or a template can include: everything but local files."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self.paths, self.project, self.tags = files.paths, files.project, files.tags
        self.remote, self.template = files.remote, files.template

    def read(self, path: str) -> str | None:  # noqa: ARG002 - there are none
        return None


class FilesInMemory:
    """Files in a mapping: for `/ci/lint` with only a text, and for tests."""

    def __init__(
        self,
        files: Mapping[str, str] | None = None,
        projects: Mapping[str, Mapping[str, str]] | None = None,
        tags: Iterable[str] = (),
        remote: Mapping[str, str] | None = None,
        templates: Mapping[str, str] | None = None,
    ) -> None:
        self._files = dict(files or {})
        self._projects = dict(projects or {})
        self._tags = tuple(tags)
        self._remote = dict(remote or {})
        self._templates = dict(templates or {})

    def read(self, path: str) -> str | None:
        return self._files.get(path)

    def paths(self) -> Iterable[str]:
        return self._files

    def project(self, full_path: str, ref: str | None) -> Files | None:  # noqa: ARG002 - one commit is all there is
        files = self._projects.get(full_path)
        return None if files is None else FilesInMemory(files, self._projects)

    def tags(self, full_path: str) -> Iterable[str] | None:
        return self._tags if full_path in self._projects else None

    def remote(self, url: str) -> str:
        if url not in self._remote:
            raise RemoteFailed("of a socket error")
        return self._remote[url]

    def template(self, key: str) -> str | None:
        return self._templates.get(key)
