"""Many games: tournaments, ratings, tuning, leagues; the only code that spreads over processes."""
