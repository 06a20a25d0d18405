"""The rules, one file a game: options, moves, notation and a drawing in text; nothing else."""
