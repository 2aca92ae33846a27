"""Issues that texts of other issues name: their readers are told by a system note."""
