"""Tests that need PyTorch and Stable-Baselines3: `make rl` runs them, and nothing else does."""
