"""What the benchmarks of Othello share: sets of positions, and Edax as a peer."""
