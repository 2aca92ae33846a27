"""Endpoints of repositories."""

from ingot.features.code.repository.routes.archive import routes as archive
from ingot.features.code.repository.routes.branch_protection import routes as branch_protection
from ingot.features.code.repository.routes.branches import routes as branches
from ingot.features.code.repository.routes.commit_parts import routes as commit_parts
from ingot.features.code.repository.routes.commits import routes as commits
from ingot.features.code.repository.routes.compare import routes as compare
from ingot.features.code.repository.routes.file_changes import routes as file_changes
from ingot.features.code.repository.routes.files import routes as files
from ingot.features.code.repository.routes.health import routes as health
from ingot.features.code.repository.routes.picks import routes as picks
from ingot.features.code.repository.routes.signatures import routes as signatures
from ingot.features.code.repository.routes.submodules import routes as submodules
from ingot.features.code.repository.routes.tags import routes as tags
from ingot.features.code.repository.routes.trees import routes as trees

ROUTES = [
    branches, branch_protection, tags, commits, commit_parts, signatures, picks, compare, trees, files, file_changes,
    submodules, archive, health,
]  # fmt: skip
