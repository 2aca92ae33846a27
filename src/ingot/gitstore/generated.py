"""Which files are generated or vendored, by path alone."""

from __future__ import annotations

from ingot.kit.patterns import pattern

_GENERATED_NAMES = frozenset(
    [
        "package-lock.json",
        "npm-shrinkwrap.json",
        "yarn.lock",
        "pnpm-lock.yaml",
        "bun.lock",
        "bun.lockb",
        "composer.lock",
        "Cargo.lock",
        "Cargo.toml.orig",
        "poetry.lock",
        "Pipfile.lock",
        "pdm.lock",
        "uv.lock",
        "Gemfile.lock",
        "go.sum",
        "Gopkg.lock",
        "glide.lock",
        "mix.lock",
        "pubspec.lock",
        "flake.lock",
        "deno.lock",
        "Package.resolved",
        "Podfile.lock",
        "MODULE.bazel.lock",
        ".terraform.lock.hcl",
        "gradle.lockfile",
        "gradlew",
        "gradlew.bat",
        "mvnw",
        "mvnw.cmd",
    ]
)
_GENERATED = pattern(
    r"\.(?:min\.(?:js|css)|(?:js|css)\.map|pb\.(?:go|cc|h|gw\.go)|pbobjc\.[hm]|nib|xcworkspacedata|xcuserstate"
    r"|designer\.(?:cs|vb)|feature\.cs|g\.dart|freezed\.dart|pb\.dart|snap)$"
    r"|_pb2(?:_grpc)?\.pyi?$|(?:^|/)(?:__generated__|Godeps)/|[._-]generated\.[a-z]+$|\.generated\.[a-z]+$"
    r"|(?:^|/)zz_generated\.[^/]+\.go$",
    ignore_case=True,
)
_VENDORED = pattern(
    r"(?:^|/)(?:vendor|vendors|third[-_]?party|node_modules|bower_components|dist|deps|extern(?:al)?|\.yarn"
    r"|\.bundle|Pods|Carthage|\.venv|venv|site-packages|\.idea|\.vscode)/",
    ignore_case=True,
)
_DOCUMENTATION = pattern(
    r"(?:^|/)(?:docs?|documentation|javadoc|man|examples?|samples?|demos?)/"
    r"|(?:^|/)(?:CHANGE(?:S|LOG)?|CONTRIBUTING|COPYING|INSTALL|LICEN[CS]E|README)(?:\.|$)",
    ignore_case=True,
)


def is_generated(path: str) -> bool:
    return path.rpartition("/")[2] in _GENERATED_NAMES or _GENERATED.search(path) is not None


def is_vendored(path: str) -> bool:
    return _VENDORED.search(path) is not None


def is_documentation(path: str) -> bool:
    return _DOCUMENTATION.search(path) is not None
