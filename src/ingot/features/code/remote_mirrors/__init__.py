"""Push mirrors: repositories elsewhere that get the branches and tags of a project."""
