"""SCIM: an identity provider adds users to its group and removes them; owners manage the identities."""
