"""A board in a cell: the page's markup and style, presses in, markup out.

Python keeps the game and says what to show by traits that are sent to the browser; the script shows
it and sends back which button was pressed. A bot thinks in a thread of its own, and its answer is
taken up by the notebook's event loop, so that other cells run meanwhile; without such a loop, as in
a script, the bot is simply asked. An answer to a position that is no longer there is dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Sequence
from dataclasses import replace
from importlib import resources
from typing import Any

import anywidget
import traitlets

from parlour import boards, core
from parlour.core import Game, Match, ParlourError, Record, Resigns, Timer, say, sentence, title

PERSON = "human"  # as records of games in a terminal call them
MAX_TEXT = 200  # characters of a move
Choice = tuple[Any, float] | BaseException  # a move and the seconds it took, or what went wrong


def _script() -> str:
    """The script, with the style of boards in it, so that nothing is loaded from elsewhere."""
    static = resources.files(__package__) / "static"
    colours = "".join(
        f"{host}{{{';'.join(f'{name}:{value}' for name, value in boards.tokens(night).items())}}}"
        for host, night in ((":host", False), (":host([data-night])", True))
    )
    own = (static / "widget.css").read_text(encoding="utf-8")
    style = colours + boards.read_sheet("boards.css") + own
    script = (static / "widget.js").read_text(encoding="utf-8")
    return f"const STYLE = {json.dumps(style)};\n{script}"


class BoardWidget(anywidget.AnyWidget):
    """A game that is played by pressing on a board, with bots or people at its seats."""

    _esm = _script()
    title = traitlets.Unicode().tag(sync=True)
    board = traitlets.Unicode().tag(sync=True)
    status = traitlets.Unicode().tag(sync=True)
    notice = traitlets.Unicode().tag(sync=True)  # why a move was not taken
    moves = traitlets.List(traitlets.Unicode()).tag(sync=True)
    thinking = traitlets.Bool(False).tag(sync=True)
    can_undo = traitlets.Bool(False).tag(sync=True)

    def __init__(self, game: Game, players: Sequence[Any]) -> None:
        super().__init__()
        self.game = game
        self.players = list(players)
        self._asking = threading.Lock()  # a bot is asked one thing at a time
        self._task: asyncio.Task[None] | None = None  # which only this keeps alive
        self._round = 0
        self.title = title(game)
        self.on_msg(self._receive)
        self._begin()

    @property
    def record(self) -> Record:
        """The game so far."""
        return self._match.record

    def new_game(self) -> None:
        """Begin again, with the same players at the same seats."""
        self._begin()

    def undo(self) -> None:
        """Take back the last move of a person, and what bots played since."""
        own = [n for n, seat in enumerate(self._match.movers) if self._is_person(seat)]
        if own:
            moves = self.record.moves[: own[-1]]
            left = replace(self.record, moves=moves, seconds=(), result=None, reason="")
            self._begin(Match.from_record(self.game, left))

    def press(self, fields: dict[str, str]) -> None:
        """Take what the form of a board sends; a move that cannot be made becomes a notice."""
        match = self._match
        if fields.get("at", str(len(match.moves))) != str(len(match.moves)):
            return  # pressed twice
        if match.over or not self._is_person(match.turn):
            return
        try:
            text = boards.move_text(fields)[:MAX_TEXT]
            match.play(self.game.read_move(match.state, text))
        except ParlourError as error:
            self.notice = sentence(str(error))
            return
        self._go_on()
        if match.over:
            self._teach()

    # The game

    def _begin(self, match: Match | None = None) -> None:
        self._round += 1
        names = [PERSON if each is None else core.describe(each) for each in self.players]
        self._match = match or Match(self.game, names)
        self._go_on()

    def _is_person(self, seat: int) -> bool:
        return self.players[seat] is None

    def _is_bot_to_move(self) -> bool:
        return not self._match.over and not self._is_person(self._match.turn)

    def _go_on(self) -> None:
        """Show the position, and ask the bot whose turn it is."""
        self._show()
        if not self._is_bot_to_move():
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            while self._is_bot_to_move():
                self._take(self._ask(self._match))
        else:
            self._task = loop.create_task(self._think(loop))

    async def _think(self, loop: asyncio.AbstractEventLoop) -> None:
        number = self._round
        while self._is_bot_to_move():
            answer: asyncio.Future[Choice] = loop.create_future()
            match = self._match.copy()

            def ask(match: Match = match, answer: asyncio.Future[Choice] = answer) -> None:
                choice = self._ask(match)
                with contextlib.suppress(RuntimeError):  # the notebook was closed meanwhile
                    loop.call_soon_threadsafe(_settle, answer, choice)

            threading.Thread(target=ask, daemon=True).start()
            choice = await answer
            if number != self._round:
                return
            self._take(choice)

    def _ask(self, match: Match) -> Choice:
        """Ask the bot at the turn for its move; whatever goes wrong is an answer too."""
        with self._asking:
            try:
                return Timer(self.game.seats).ask(self.players[match.turn], match)
            except (Exception, SystemExit) as error:
                return error

    def _take(self, choice: Choice) -> None:
        """Make the move of a bot; one that fails has lost."""
        match = self._match
        seat = match.turn
        if isinstance(choice, Resigns):
            match.resign(seat, choice)
        elif isinstance(choice, BaseException):
            known = isinstance(choice, ParlourError)
            error = core.text_of(choice) if known else core.describe_error(choice)
            match.stop(seat, say("failed: {error}", error=error))
        else:
            try:
                match.play(choice[0])
            except (ParlourError, TypeError, ValueError, AttributeError) as error:
                chosen = core.quote(choice[0])
                match.stop(seat, say("chose {choice}: {error}", choice=chosen, error=str(error)))
        self._show()
        if match.over:
            self._teach()

    def _teach(self) -> None:
        """Let bots that learn learn from the game."""
        try:
            core.referee.teach([each for each in self.players if each is not None], self.record)
        except Exception as error:
            self.notice = sentence(
                f"a bot could not learn from this game: {core.describe_error(error)}"
            )

    # What is shown

    def _show(self) -> None:
        match = self._match
        people = [seat for seat in range(self.game.seats) if self._is_person(seat)]
        with self.hold_sync():
            self.board = str(
                boards.board(
                    self.game,
                    match.state,
                    last=match.moves[-1] if match.moves else "",
                    before=match.states[-2] if match.moves else None,
                    playable=not match.over and self._is_person(match.turn),
                    at=len(match.moves),
                    viewer=people[0] if len(people) == 1 else None,
                )
            )
            self.status = " ".join(filter(None, (self._say_last(), self._say_now())))
            self.notice = ""
            self.moves = list(match.moves)
            self.thinking = self._is_bot_to_move()
            self.can_undo = any(map(self._is_person, match.movers))

    def _call(self, seat: int) -> str:
        """What to call whoever sits there: `You`, `Black`, `Perfect`."""
        if not self._is_person(seat):
            return self._match.players[seat]
        people = sum(each is None for each in self.players)
        return "You" if people == 1 else core.capital(core.protocol.side_name(self.game, seat))

    def _say_last(self) -> str:
        """`Random takes 2 from pile 1.`; nothing of one's own moves."""
        match = self._match
        if not match.moves or self._call(match.movers[-1]) == "You":
            return ""
        text = boards.name_move(match.moves[-1], self.game, match.states[-2])
        return sentence(f"{self._call(match.movers[-1])} {boards.announce_move(self.game, text)}")

    def _say_now(self) -> str:
        """Whose turn it is, or how it ended."""
        match = self._match
        if match.result is None:
            who = self._call(match.turn)
            if who == "You":
                own = core.sides(self.game)
                return f"Your turn{f' ({own[match.turn]})' if own else ''}."
            return sentence(f"{who} {'to move' if self._is_person(match.turn) else 'is thinking…'}")
        winners = [self._call(seat) for seat, payoff in enumerate(match.result) if payoff > 0]
        verb = "wins" if len(winners) == 1 and winners != ["You"] else "win"
        margin = ""
        if not match.reason and hasattr(self.game, "score"):
            margin = f" by {abs(self.game.score(match.state))}"
        end = f"{' and '.join(winners)} {verb}{margin}." if winners else "It’s a draw."
        why = match.reason or core.protocol.ended_by(self.game, match.state)
        why = core.protocol.name_seats(why, [self._call(seat) for seat in range(self.game.seats)])
        return f"{core.capital(end)} {sentence(why)}".strip()

    # What comes from the browser

    def _receive(self, _: Any, content: Any, __: Any) -> None:
        """Do what a message asks; one that makes no sense is left alone."""
        if not isinstance(content, dict):
            return
        fields = content.get("press")
        if isinstance(fields, dict) and all(isinstance(each, str) for each in fields.values()):
            self.press(fields)
        elif content.get("do") == "undo":
            self.undo()
        elif content.get("do") == "new":
            self.new_game()


def _settle(answer: asyncio.Future[Choice], choice: Choice) -> None:
    if not answer.done():
        answer.set_result(choice)
