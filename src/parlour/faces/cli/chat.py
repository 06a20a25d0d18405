"""`parlour chat`, or `parlour` alone: talk and play with Benedict."""

from __future__ import annotations

import random

from parlour.faces.cli.flags import Parser, read_number
from parlour.faces.terminal.chat import Conversation


def run(parser: Parser, arguments: list[str]) -> int:
    """Hold a conversation until somebody says goodbye."""
    parser.add_argument(
        "--model",
        metavar="URL",
        help="an OpenAI-compatible chat endpoint that may do the small talk (default: none)",
    )
    parser.add_argument(
        "--model-name",
        metavar="NAME",
        default="default",
        help="which model of that endpoint (default: default)",
    )
    parser.add_argument(
        "--seed", metavar="N", help="make him choose the same words again (default: at random)"
    )
    given = parser.parse(arguments)
    model = None
    if given.model is not None:
        from parlour.faces.terminal.chat import Model

        model = Model(given.model, given.model_name)
    chosen = given.seed is not None
    seed = read_number("--seed", given.seed) if chosen else random.getrandbits(32)
    return Conversation(seed, model).hold()
