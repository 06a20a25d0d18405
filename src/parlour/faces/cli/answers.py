"""What each command prints with `--json`: `JudgeAnswer` is the answer of `parlour judge`.

The commands name these types for the type checker only, so that they load nothing for them.
`parlour schema` makes JSON schemas of them, with the comments as descriptions.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from parlour import arena, learn
from parlour.arena import tuning
from parlour.core import Record, answers
from parlour.lessons import LEVELS, StudyData
from parlour.truth.variants import AtlasData

# parlour analyse


class AnalysedMove(TypedDict):
    """What one move cost."""

    turn: answers.Natural  # the seat that moved, counted from 0
    move: str
    best: str
    score: float  # the mover's lead in discs after it
    loss: float  # by how much the best move would have scored more
    forced: bool  # there was no other move
    exact: bool  # proven
    depth: answers.Natural  # the plies searched
    certainty: float  # in percent


class DiscsLost(TypedDict):
    """The discs that a seat lost."""

    exact: float
    estimated: float


class LastPosition(TypedDict):
    """The last position of the game."""

    position: str  # in the game's own notation
    over: bool
    lead: float  # of the first seat
    exact: bool


class AnalyseAnswer(answers.GameFields):
    """What `parlour analyse othello --json` prints: what each move of a game cost, in discs."""

    format: Literal["parlour analyse 2"]
    start: str  # the position in the game's own notation
    players: list[str]  # by seat; empty where no name is known
    moves: list[AnalysedMove]
    lost: list[DiscsLost]  # by seat
    end: LastPosition | None  # null if it was stopped
    stated: float | None  # the lead that the record states


# parlour atlas


class AtlasAnswer(AtlasData):
    """What `parlour atlas --json` prints: the variants of a game, each solved."""

    format: Literal["parlour atlas 1"]


# parlour bots


class BotEntry(TypedDict):
    """A bot."""

    name: str
    about: str  # one sentence
    options: dict[str, Any]  # its options as JSON schema
    plays: NotRequired[str]  # how well it plays the game that was named


class BotsAnswer(TypedDict):
    """What `parlour bots --json` prints: the bots, or those that play the game that was named."""

    format: Literal["parlour bots 2"]
    bots: list[BotEntry]


# parlour check-bot


class CheckBotAnswer(TypedDict):
    """What `parlour check-bot --json` prints: whether a bot is fine, and what is wrong with it."""

    format: Literal["parlour check-bot 1"]
    file: str
    fine: bool
    games: list[Annotated[dict[str, Any], arena.CheckResult]]


# parlour explain


class CheckedFact(TypedDict):
    """A statement that was checked."""

    kind: str
    data: dict[str, Any]


class ExplainAnswer(answers.GameFields):
    """What `parlour explain --json` prints: why a position or a move is good or bad."""

    format: Literal["parlour explain 1"]
    position: str  # the position in the game's own notation
    move: str | None  # the move that is explained, if one was named
    facts: list[CheckedFact]
    sentences: list[str]


# parlour explore


class PlayCount(TypedDict):
    """How often a move was played, and how those games ended for its mover."""

    games: int  # how many games went on with it
    wins: int  # for the mover
    draws: int  # likewise
    losses: int  # likewise
    people: int  # in how many a person chose it; not known of an archive


class ExploredMove(TypedDict):
    """A move, what it is worth, and how often it was played."""

    move: str
    also: list[str]  # moves that come to the same by symmetry
    outcome: answers.Outcome | None  # for the mover; null where that is not known
    plies: int | None  # to the end with best play
    score: float | None  # the lead in discs at the end, where discs count
    exact: bool | None  # whether that is proven
    opening: str | None  # the name of the opening it leads to, where that changes
    archive: PlayCount
    house: PlayCount


class CommonTrap(TypedDict):
    """The wrong move that people choose most, where the values are proven."""

    move: str
    people: int  # who chose it
    out_of: int  # people who moved here


class ExploreAnswer(answers.GameFields):
    """What `parlour explore --json` prints: what was played in a position, and its values."""

    format: Literal["parlour explore 1"]
    position: str  # the position in the game's own notation
    turn: int  # the seat to move, counted from 0
    opening: str | None  # the name of the opening
    archive: PlayCount  # games of the archive
    house: PlayCount  # finished games of the web site in which a person sat
    moves: list[ExploredMove]
    trap: CommonTrap | None


# parlour games


class GameEntry(TypedDict):
    """A game."""

    name: str
    about: str  # one line
    options: dict[str, Any]  # its options as JSON schema


class GamesAnswer(TypedDict):
    """What `parlour games --json` prints: the games."""

    format: Literal["parlour games 2"]
    games: list[GameEntry]


# parlour hats


class HatsLabel(answers.GameFields):
    """Stored hats, without what is in them."""

    name: str
    games: answers.Natural
    rule: str


class ListedHats(TypedDict):
    """All stored hats."""

    format: Literal["parlour hats 2"]
    hats: list[HatsLabel]


class ShownHats(learn.HatsData):
    """The hats of one name."""

    format: Literal["parlour hats 2"]
    written: list[str]  # the files that were written


class ImportedHats(HatsLabel):
    """Hats stored from a file."""

    format: Literal["parlour hats 2"]
    imported: str  # the file


class DeletedHats(TypedDict):
    """Hats that are gone."""

    format: Literal["parlour hats 2"]
    name: str
    deleted: Literal[True]


HatsAnswer = Annotated[
    ListedHats | ShownHats | ImportedHats | DeletedHats,
    "What `parlour hats --json` prints: all stored hats, those of one name, or their fate.",
]


# parlour judge


class JudgeAnswer(answers.GameFields):
    """What `parlour judge --json` prints: agents judged by exact values."""

    format: Literal["parlour judge 1"]
    judgements: Annotated[list[arena.JudgementData], ("minItems", 1)]
    comparison: arena.ComparisonData | None
    curve: bool  # whether the judgements are checkpoints of one training


# parlour league


class UpdateData(TypedDict):
    """What has changed since the last run."""

    played: answers.Natural  # games in this run
    new: list[str]
    changed: list[str]
    gone: list[str]
    left_out: dict[str, str]  # by file: why it cannot play


class LeagueAnswer(UpdateData):
    """What `parlour league --json` prints: the table, and what has changed."""

    format: Literal["parlour league 1"]
    title: str
    table: arena.StandingsData


# parlour perft


class DepthCount(TypedDict):
    """The lines of play to one depth."""

    depth: answers.Natural
    leaves: answers.Natural
    seconds: float
    rate: float  # leaves per second


class PerftAnswer(answers.GameFields):
    """What `parlour perft --json` prints: the lines of play, depth by depth."""

    format: Literal["parlour perft 1"]
    position: str  # the position in the game's own notation
    depths: list[DepthCount]


# parlour puzzles


class PuzzleData(TypedDict):
    """A puzzle with its answer."""

    id: str  # a name that the puzzle has everywhere, also turned and mirrored
    position: str  # the position in the game's own notation
    turn: int  # the seat to move, counted from 0
    goal: str  # what is asked for
    right: list[str]  # every move that keeps the value
    wrong: list[str]  # all other moves
    outcome: answers.Outcome  # for the mover, with a right move
    plies: int | None  # to the end with best play; empty squares where discs count
    discs: int | None  # the mover's lead at the end with a right move, where discs count
    level: Annotated[int, ("minimum", 1), ("maximum", len(LEVELS))]  # how hard it is


class PuzzlesAnswer(answers.GameFields):
    """What `parlour puzzles --json` prints: positions in which few moves are right."""

    format: Literal["parlour puzzles 1"]
    puzzles: list[PuzzleData]


# parlour solve


class ValueData(TypedDict):
    """The exact value for the seat to move."""

    outcome: answers.Outcome
    # How many plies it takes; null for a draw, or where the distance is not known
    plies: answers.Natural | None


class ValuedMove(ValueData):
    """A move and its value."""

    move: str


class SituationCounts(TypedDict):
    """The distinct situations that can be reached."""

    win: answers.Natural
    loss: answers.Natural
    draw: answers.Natural
    end: answers.Natural


class SolvedByValue(answers.GameFields):
    """A position solved by value."""

    format: Literal["parlour solve 2"]
    position: str  # the position in the game's own notation
    turn: answers.Natural  # the seat to move, counted from 0
    value: ValueData
    best: list[str]  # the best moves
    # The moves with their values, best first; only the best where there are too many
    moves: list[ValuedMove]
    counts: Annotated[dict[str, int], SituationCounts] | None
    method: str  # how it was solved
    # Whose work the proof is, in a sentence; only where part of it is taken from others
    credit: NotRequired[str]
    folder: NotRequired[str]  # the folder or URL where the solution lies, if it is on disk
    bytes: NotRequired[answers.Natural]  # how much room it takes there


class ScoredMove(TypedDict):
    """A move of Othello and its score."""

    move: str
    score: float
    exact: bool


class ScoredPosition(TypedDict):
    """A position of Othello and its score."""

    position: str  # the position in the game's own notation
    turn: answers.Natural  # the seat to move, counted from 0
    empty: answers.Natural  # empty squares
    score: float  # the mover's lead in discs at the end of best play
    exact: bool  # whether the score is proven
    depth: answers.Natural  # the plies searched
    certainty: float  # how sure the search is, in percent
    best: str | None
    line: list[str]  # the best line of play
    nodes: answers.Natural
    seconds: float
    rate: float  # nodes per second
    moves: NotRequired[list[ScoredMove]]  # every move, best first; with --each
    given: NotRequired[dict[str, float]]  # the scores that followed the position in the file
    right: NotRequired[bool | None]  # whether those are right; null if that is not known


class SolvedByScore(answers.GameFields, ScoredPosition):
    """A position of Othello solved to the disc."""

    format: Literal["parlour solve 2"]


class SolvedFile(answers.GameFields):
    """All positions of a file."""

    format: Literal["parlour solve 2"]
    positions: list[ScoredPosition]


SolveAnswer = Annotated[
    SolvedByValue | SolvedByScore | SolvedFile,
    "What `parlour solve --json` prints: a value; for Othello up to 64 squares a score, or many.",
]


# parlour tournament


class TournamentAnswer(arena.StandingsData):
    """What `parlour tournament --json` prints: the table, the best first."""

    format: Literal["parlour tournament 1"]


# parlour train


class TrainAnswer(learn.TrainedData):
    """What `parlour train --json` prints: hats after training."""

    format: Literal["parlour train 1"]
    written: list[str]  # the files that were written


# parlour tune


class TuneAnswer(tuning.TuningData):
    """What `parlour tune --json` prints: the variants of a bot, and the best of them."""

    format: Literal["parlour tune 1"]


# parlour verify


class ProvenValue(TypedDict):
    """The value for the seat to move."""

    outcome: answers.Outcome
    # The most plies it takes; null for a draw, or where the proof does not bound them
    plies: answers.Natural | None


class UncheckedBounds(TypedDict):
    """What the proof rests on that was not checked."""

    positions: answers.Natural  # how many have bounds that were not checked
    source: str  # where these bounds are taken from


class VerifyAnswer(answers.GameFields):
    """What `parlour verify --json` prints: the value that a certificate proves."""

    format: Literal["parlour verify 1"]
    position: str  # the position in the game's own notation
    turn: answers.Natural  # the seat to move, counted from 0
    value: ProvenValue
    proven: str  # what is proven, and by how many situations or claims, in a sentence
    given: NotRequired[UncheckedBounds]


ANSWERS = {  # by the name of the command; a record is a line of a file
    "analyse": AnalyseAnswer,
    "atlas": AtlasAnswer,
    "bots": BotsAnswer,
    "check-bot": CheckBotAnswer,
    "explain": ExplainAnswer,
    "explore": ExploreAnswer,
    "games": GamesAnswer,
    "hats": HatsAnswer,
    "judge": JudgeAnswer,
    "league": LeagueAnswer,
    "perft": PerftAnswer,
    "puzzles": PuzzlesAnswer,
    "record": Record,
    "solve": SolveAnswer,
    "study": StudyData,
    "tournament": TournamentAnswer,
    "train": TrainAnswer,
    "tune": TuneAnswer,
    "verify": VerifyAnswer,
}
