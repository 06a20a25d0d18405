"""The NBoard protocol: the door through which the boards of Othello players reach the engine."""
