"""Playing at the terminal, and in pipes."""
