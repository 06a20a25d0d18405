"""The conversation with Benedict at the terminal."""
