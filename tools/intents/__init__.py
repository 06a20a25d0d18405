"""How Benedict learns intents from example lines: run `python -m tools.intents`."""
