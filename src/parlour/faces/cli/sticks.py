"""`parlour sticks`: the Game of Sticks against a friend or a computer that learns."""

from __future__ import annotations

from parlour.faces.cli.command import Parser, parse_options
from parlour.faces.terminal import SticksConversation


def run(parser: Parser, arguments: list[str]) -> int:
    """Hold the conversation that its specification words."""
    parser.epilog = (
        "While you play against the computer, 'hats' shows its hats instead of a move, and "
        "'keep NAME' keeps them, from then on after every game."
    )
    conversation: SticksConversation
    _, conversation = parse_options(parser, SticksConversation, arguments)
    return conversation.hold()
