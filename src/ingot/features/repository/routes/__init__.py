"""Endpoints of repositories."""

from ingot.features.repository.routes.branches import routes as branches
from ingot.features.repository.routes.commits import routes as commits
from ingot.features.repository.routes.file_changes import routes as file_changes
from ingot.features.repository.routes.files import routes as files

ROUTES = [branches, commits, files, file_changes]
