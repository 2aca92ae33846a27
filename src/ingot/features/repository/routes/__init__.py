"""Endpoints of repositories."""

from ingot.features.repository.routes.archive import routes as archive
from ingot.features.repository.routes.branches import routes as branches
from ingot.features.repository.routes.commit_parts import routes as commit_parts
from ingot.features.repository.routes.commits import routes as commits
from ingot.features.repository.routes.compare import routes as compare
from ingot.features.repository.routes.file_changes import routes as file_changes
from ingot.features.repository.routes.files import routes as files
from ingot.features.repository.routes.picks import routes as picks
from ingot.features.repository.routes.tags import routes as tags
from ingot.features.repository.routes.trees import routes as trees

ROUTES = [branches, tags, commits, commit_parts, picks, compare, trees, files, file_changes, archive]
