"""GTP, the Go Text Protocol, spoken about Othello: the door for other people's programs."""
