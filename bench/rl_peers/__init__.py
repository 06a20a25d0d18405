"""Peers in an environment of their own: the Python that the variable RL_PEERS names."""
