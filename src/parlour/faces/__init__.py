"""What people and programs meet: input and output only; no rules and no decisions."""
