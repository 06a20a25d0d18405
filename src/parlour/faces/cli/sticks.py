"""`parlour sticks`: the Game of Sticks against a friend or a computer that learns."""

from __future__ import annotations

from parlour.core import make, options_of
from parlour.faces.cli.flags import Parser, add_options, read_options
from parlour.faces.terminal import SticksConversation


def run(parser: Parser, arguments: list[str]) -> int:
    """Hold the conversation that its specification words."""
    known = options_of(SticksConversation)
    add_options(parser, known)
    options = read_options(known, vars(parser.parse(arguments)))
    conversation: SticksConversation = make(SticksConversation, "sticks", options)
    return conversation.hold()
