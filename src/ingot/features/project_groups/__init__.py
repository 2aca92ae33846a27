"""Where projects and groups meet: projects of a group, groups around a project, places to share and move to."""
