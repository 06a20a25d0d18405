"""`parlour chat [FILE …]`, or `parlour` alone: talk and play with Benedict."""

from __future__ import annotations

import random

from parlour.faces.cli.command import Parser
from parlour.faces.terminal import Conversation


def run(parser: Parser, arguments: list[str]) -> int:
    """Hold a conversation until somebody says goodbye."""
    parser.add_files()
    about = "let the language model at this OpenAI-compatible endpoint do the small talk"
    parser.add_flag("--model", "URL", about)
    parser.add_flag("--model-name", "NAME", "the model's name there", default="default")
    parser.add_number("--seed", "make him choose the same words every time (default: random)")
    given = parser.parse(arguments)
    if given.files:
        from parlour.core import registry  # the greeting does without it

        registry.add_files(given.files)
    model = None
    if given.model is not None:
        from parlour.faces.terminal import Model

        model = Model(given.model, given.model_name)
    seed = random.getrandbits(32) if given.seed is None else given.seed
    return Conversation(seed, model).hold()
