"""Who sees and changes variables: Maintainers of a project, Owners of a group, and custom roles that may."""

from dataclasses import replace

from ingot.access.policy import ADMIN_PROJECT, OWN_GROUP

ADMIN_VARIABLES = replace(ADMIN_PROJECT, ability="admin_cicd_variables", permission="admin_cicd_variables")
ADMIN_GROUP_VARIABLES = replace(OWN_GROUP, ability="admin_group_cicd_variables", permission="admin_cicd_variables")
