"""Those that learn: hats, training, and curves against the truth."""
