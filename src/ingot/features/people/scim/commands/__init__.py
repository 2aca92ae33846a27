"""What owners and identity providers change."""
