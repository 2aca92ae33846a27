"""Archives of groups: writing one with all subgroups, and making groups out of one."""
