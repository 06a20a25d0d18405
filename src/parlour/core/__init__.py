"""The vocabulary every other room speaks: games, options, players, the referee and its record.

Nothing here knows any particular game, and nothing here needs more than the standard library.
"""
