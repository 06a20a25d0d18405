"""Benedict: what was meant, and what to say. Text in, replies out, and no I/O of its own."""
