"""SCIM: an identity provider brings people into its group and takes them out again, and owners look after the links."""
