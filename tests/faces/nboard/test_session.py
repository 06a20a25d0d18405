"""The answers of `parlour nboard` to each command, and to other lines."""

from parlour.faces.nboard import MAX_DEPTH, MAX_LINE
from parlour.players.engine import solves_from
from parlour.rules.othello import PASS
from tests.faces.nboard.minds import GAME, Hasty, Plain, outcome, thought
from tests.faces.nboard.talk import LOST, PLAYED, START, STUCK, WON, Talk, board, once

ANSWERS = {
    "nboard 2": ["set myname Parlour"],
    "set depth 6": ["set myname Parlour6"],
    "  set \t depth   60 ": ["set myname Parlour60"],
    "set contempt -100": [],
    f"set game {PLAYED}": [],
    "move F5": [],
    "move f5/0.00/1.2": [],
    "move F5//0.1": [],
    "ping 12": ["pong 12"],
    "ping -1": ["pong -1"],
    "learn": ["learned"],
}
UNKNOWN = [
    "",
    "hello",
    "PING 3",
    "set",
    "=== F5",
    "pong 3",
]


def test_the_commands_of_the_protocol_are_answered_and_other_lines_ignored():
    for line, answer in [*ANSWERS.items(), *((line, []) for line in (*UNKNOWN, "…"))]:
        assert once(line) == answer, line


REFUSED = [
    ("set depth", "The depth must be a number from 1 to 60, not ''"),
    ("set depth 0", "The depth must be a number"),
    ("set depth 61", "The depth must be a number"),
    ("set depth " + "9" * 5000, "The depth must be a number"),
    ("set game", ""),
    ("set game (;GM[Othello]", "A GGF game continues with"),
    ("set game (;GM[Go]SZ[19];)", "This is a game of 'Go', not of Othello"),
    (board("-" * 14 + "O*--*O" + "-" * 16, "*", size=6), "This GGF has a board of"),
    (board("-" * 100, "*", size=10), "This GGF has a board of the type '10'"),
    (board(START[:-1], "*"), "'BO["),
    (board(START, "*")[:-2] + "B[A1];)", "Move 1, a1, cannot be played"),
    ("move", "'' is not a square here; the squares are a1 to h8"),
    ("move A1", "The square a1 would turn no disc; you may play d3, c4, f5, e6"),
    ("move PA", "You may pass only when there is no square to take"),
    ("ping", "Ping needs a number, not ''"),
    ("hint 0", "Hint needs"),
    ("ping " + " " * MAX_LINE, "A line may hold at most 10,000 characters"),
    ("move ünï…", "'\\xfcn\\xef...' is not a square"),
]


def test_a_line_that_cannot_be_obeyed_is_reported_and_changes_nothing():
    for line, reason in REFUSED:
        with Talk() as talk:
            talk.ask(board(WON, "*"))
            talk.ask(board(START, "*"))
            [answer] = talk.ask(line)
            assert answer.startswith(f"status {reason}")
            assert talk.ask("move C4") == [], line  # a move at the start of the game


def test_a_move_is_named_with_its_worth_and_not_made():
    with Talk() as talk:
        for _ in range(3):
            assert talk.ask(board(WON, "*"), "go") == [
                "status Thinking",
                "search H8 64.00 0 100%",
                "nodestats 10 s",
                "=== H8/64.00/s",
                "status",
            ]
        assert talk.ask("go")[-2] == "=== H8/64.00/s"
        talk.ask("move H8/64.00/0.50")
        assert talk.ask("go") == ["status The game is over"]
        assert talk.ask("hint 1", "learn") == ["status The game is over", "learned"]


def test_a_pass_is_a_move_like_others():
    with Talk() as talk:
        assert talk.ask(board(LOST, "O"), "go") == ["=== PA"]
        assert talk.ask("hint 5") == [
            "status Thinking",
            "search PAC1 -64.00 0 100%",
            "nodestats 10 s",
            "status",
        ]
        assert talk.ask("move PA//0.1", "go")[-2] == "=== C1/64.00/s"


def test_a_game_that_ends_in_a_pass_goes_on_after_it():
    with Talk(Hasty) as talk:
        talk.ask(f"set game {PLAYED}")
        move = talk.move()[4:6]
        state = GAME.read(STUCK.replace("*", "X") + " X")
        assert GAME.moves(state) == (PASS,)
        assert move.lower() in map(GAME.write_move, GAME.moves(GAME.play(state, PASS)))


LATE = "--OOOO*--*OOO***" + "*" * 20 + "O" * 20 + "OOOOO-OO"


def test_hints_are_the_best_moves_first_as_the_mover_sees_them():
    for side in "*O":
        state = GAME.read(LATE.replace("*", "X") + " " + side.replace("*", "X"))
        worth = {
            GAME.write_move(move).upper(): -outcome(GAME.play(state, move))
            for move in GAME.moves(state)
        }
        assert len(set(worth.values())) > 1
        for most in (1, 2, 60):
            with Talk() as talk:
                answers = talk.ask(board(LATE, side), f"hint {most}")
            hints = [line.split() for line in answers if line.startswith("search")]
            assert len(hints) == min(most, len(worth))
            assert [(move, float(score)) for _, move, score, *_ in hints] == [
                (move, float(worth[move])) for _, move, *_ in hints
            ]
            best = sorted(worth.values(), reverse=True)[:most]
            assert [float(score) for _, _, score, *_ in hints] == best
            assert {tuple(rest) for _, _, _, *rest in hints} == {("0", "100%")}


class Shaded(Plain):
    """Reports analyses of every kind."""

    def analyse(self, state, *, on_progress=None, **limits):
        line = GAME.moves(state)[0]
        on_progress(thought(line, -0.004, 7))
        on_progress(thought(line, 1e-9, 9, certainty=73))
        on_progress(thought(line, 3.14159, 62, certainty=95, line=(line, PASS, (0, 0))))
        on_progress(thought(line, 2.0, 62, exact=True))
        on_progress(thought(line, 1.5, 0, book=True))
        return thought(line, -12345.678, 3, seconds=1e-9)


def test_the_depth_is_written_as_nboard_reads_it():
    answers = [line for line in once(board(WON, "*"), "go", mind=Shaded) if "nodes" not in line]
    assert answers[1:-1] == [
        "search H8 0.00 0 7",
        "search H8 0.00 0 9",
        "search H8PAA1 3.14 0 95%",  # played out, but not proven
        "search H8 2.00 0 100%",
        "book H8 1.50 0 0",
        "=== H8/-12345.68/s",
    ]


def test_an_analysis_values_every_position_for_who_is_to_move_the_last_first():
    with Talk() as talk:
        answers = talk.ask(board(LOST, "O"), "move PA", "move C1", "analyze")
    assert answers == [
        "status Thinking",
        "analysis 2 -64.00",  # white has nothing left
        "analysis 1 64.00",
        "analysis 0 -64.00",
        "status",
    ]


def test_depth_is_how_far_it_looks_and_the_end_is_solves_from_a_stated_number_of_empties():
    with Talk() as talk:
        for depth in (1, 7, MAX_DEPTH):
            talk.ask(board(WON, "*"), f"set depth {depth}", "go")
            limits = talk.mind.asked[-1]
            assert (limits["plies"], limits["solves"]) == (depth, solves_from(depth))
            assert limits["seconds"] is None


def test_a_clock_limits_a_move():
    with Talk(Hasty) as talk:
        talk.ask(f"set game {PLAYED}")
        talk.move()
        first = talk.mind.asked[-1]["seconds"]
        assert 1 < first < 300
        talk.ask(f"set game {PLAYED.replace('5:00', '10:00')}")
        talk.move()
        assert 1.9 < talk.mind.asked[-1]["seconds"] / first < 2.1
        talk.ask(f"set game {PLAYED.replace('5:00', '0:00')}")
        talk.move()
        assert 0 < talk.mind.asked[-1]["seconds"] < 1
        for clock in ("5:00", "3:20"):  # the same for black once its first move took 100 seconds
            first = board(START, "*").replace("RE[?]", f"RE[?]TI[{clock}]")
            spent = 100 if clock == "5:00" else 0
            talk.ask(first, f"move D3/0.00/{spent}", "move C3//1")
            talk.move()
        assert talk.mind.asked[-1]["seconds"] == talk.mind.asked[-2]["seconds"]
