"""What other services are told: web hooks."""
