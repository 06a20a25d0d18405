"""How the Othello engine was taught: its weights, the model of its errors, and its opening book."""
