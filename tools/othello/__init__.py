"""How the Othello engine was trained: its weights, its error model, and its opening book."""
