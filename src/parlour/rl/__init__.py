"""Environments for training agents on any game, and players made from what was trained."""
