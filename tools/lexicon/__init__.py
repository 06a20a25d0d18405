"""Builds the lexicon that Benedict talks from: run `python -m tools.lexicon`."""
