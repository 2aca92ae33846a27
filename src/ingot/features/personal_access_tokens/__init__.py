"""Personal access tokens and impersonation tokens: listing, creating, rotating, revoking."""
