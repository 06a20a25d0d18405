"""`parlour gtp` as other programs meet it: the protocol, real clients, and garbage."""

import io
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import pyspiel
import pytest
from open_spiel.python.bots.gtp import CommandError, GTPBot

from parlour.core.protocol import Resigns
from parlour.faces.cli import main
from parlour.faces.gtp import COMMANDS, MAX_LINE, Session
from parlour.faces.lines import read_lines
from parlour.players.gtp import write_vertex
from parlour.players.random_move import Random
from parlour.rules.othello import PASS, Othello

ROOT = Path(__file__).parent.parent.parent
SERVER = [sys.executable, "-m", "parlour", "gtp"]
STUCK = "-XXO------------"  # on 4x4: black cannot move, and white takes the corner and all


def session(**options):
    return Session(Random(seed=1), Othello(**options))


def ask(gtp, *commands):
    """The last answer, without its end; those before it went well."""
    for command in commands[:-1]:
        assert gtp.answer(command).startswith("="), command
    answer = gtp.answer(commands[-1])
    assert answer.endswith("\n\n")
    assert "\n\n" not in answer[:-2]
    return answer[:-2]


def show(gtp):
    """The board as an OBF line, and who moves or that it is over, read off `showboard`."""
    heading, _, *rows = ask(gtp, "showboard").split("\n")
    cells = "".join(re.sub(r"^ *\d+|[ ]", "", row) for row in rows).replace("*", "-")
    return cells, heading.removeprefix("= ")


# The protocol


LINES = {
    "protocol_version": "= 2",
    "7 protocol_version": "=7 2",
    "007 protocol_version": "=007 2",
    "  12\t protocol_version \t ": "=12 2",
    "proto\x00col_\x7fversion\r": "= 2",
    "protocol_version # and why": "= 2",
    "3 protocol_version#": "=3 2",
    "clear_board": "=",
    "komi 6.5": "=",
    "list_games": "= Othello",
    "4 known_command genmove": "=4 true",
    "known_command Genmove": "= false",
    "9" * 9_000 + " protocol_version": f"={'9' * 9_000} 2",
    "": "",
    "   \t ": "",
    "# name": "",
    "\x01\x02": "",
}


def test_lines_are_read_and_answered_as_gtp_says():
    for line, answer in LINES.items():
        for end in ("\n", ""):
            (cleaned,) = [*read_lines(io.BytesIO((line + end).encode()), MAX_LINE)] or [""]
            assert session().answer(cleaned) == (answer and f"{answer}\n\n"), line[:40]


REFUSED = [
    ("5", "?5 unknown command: the line holds only a number"),
    ("NAME", "? unknown command 'NAME'; "),
    ("8 genmov b", "?8 unknown command 'genmov'; did you mean 'genmove'?"),
    ("play", "? syntax error: usage: play COLOUR SQUARE"),
    ("play green d3", "? syntax error: 'green' is not a colour; give black or white"),
    ("play black i3", "? syntax error: 'i3' is not a square here; they are A1 to H8, and pass"),
    ("play black a1", "? illegal move A1: black (X) may play D3, C4, F5 or E6"),
    ("play black pass", "? illegal move pass: black (X) may play D3, C4, F5 or E6"),
    ("play white d3", "? illegal move: it is not white's turn; black (X) may play D3"),
    ("genmove white", "? illegal move: it is not white's turn; black (X) may play D3"),
    ("undo", "? cannot undo: nothing has been played"),
    ("final_score", "? cannot score: black (X) may play D3"),
    ("boardsize 3", "? unacceptable size: give a number from 4 to 16, or two for columns and"),
    ("komi much", "? syntax error: komi must be a number, not 'much'"),
    ("set_game Go", "? unsupported game 'Go'"),
    ("set_position X", "? syntax error: usage: set_position SQUARES [...] SIDE"),
    ("set_position " + "-" * 64 + " X", "? syntax error: '-----"),
    (
        "set_position " + "X" * 64 + " ?",
        "? syntax error: '?' is not a side; the last word must be",
    ),
    ("time_settings 1 2", "? syntax error: usage: time_settings MAIN EXTRA MOVES"),
    ("time_left b soon 0", "? syntax error: 'soon' is not a time; give a number of seconds"),
    (
        "time_left b 1 0.5",
        "? syntax error: '0.5' is not a number of moves; give a whole number",
    ),
    ("name" + " " * 20_000, f"? syntax error: a line has at most {MAX_LINE:,} characters"),
    ("ünïcode…", "? unknown command '\\xfcn\\xefcode"),
]


def test_a_wrong_line_is_refused_with_the_reason_and_changes_nothing():
    gtp = session()
    before = show(gtp)
    for line, reason in REFUSED:
        assert ask(gtp, line).startswith(reason)
        assert show(gtp) == before, line
        assert ask(gtp, "11 version").startswith("=11 ")


def test_every_command_of_the_protocol_is_known_and_listed():
    gtp = session()
    listed = ask(gtp, "list_commands").removeprefix("= ").split("\n")
    required = """protocol_version name version known_command list_commands quit boardsize
        clear_board komi play genmove reg_genmove undo showboard final_score time_settings
        time_left set_position""".split()
    assert set(required) <= set(listed) == set(COMMANDS)
    for name in listed:
        assert ask(gtp, f"known_command {name}") == "= true"


# Moves


def test_colours_and_squares_are_read_in_any_case():
    for black, white in [("b", "w"), ("BLACK", "White"), ("B", "WHITE")]:
        gtp = session()
        assert ask(gtp, f"play {black} d3", f"play {white} C3") == "="
        assert show(gtp)[0].count("X") == 3


def test_the_board_is_shown_with_the_letters_of_gtp_and_rows_from_the_top():
    gtp = session(opening="despacito")
    assert ask(gtp, "play black d3", "showboard").split("\n") == [
        "= White (O) may play C3, E3 or C5",
        "   A B C D E F G H J",
        "1  - - - - - - - - -",
        "2  - - - - - - - - -",
        "3  - - * X * - - - -",
        "4  - - - X X - - - -",
        "5  - - * X O - - - -",
        "6  - - - - - - - - -",
        "7  - - - - - - - - -",
    ]


def test_a_board_need_not_be_square():
    gtp = session()
    assert ask(gtp, "boardsize 9 7", "set_position " + "-" * 60 + "XO- X", "showboard").endswith(
        "7  - - - - - - X O *"
    )
    assert ask(gtp, "play b J7") == "="
    assert ask(gtp, "boardsize 10", "play b e4") == "="
    assert len(show(gtp)[0]) == 100


def test_a_forced_pass_may_be_sent_and_is_undone_as_it_was_made():
    gtp = session()
    ask(gtp, "boardsize 4", f"set_position {STUCK} black")
    assert show(gtp) == (STUCK, "Black (X) must pass")
    assert ask(gtp, "play black pass") == "="
    assert show(gtp) == (STUCK, "White (O) may play A1")
    assert ask(gtp, "play white a1") == "="
    assert show(gtp) == ("OOOO------------", "The game is over")
    assert ask(gtp, "final_score") == "= W+16"
    assert ask(gtp, "undo") == "="
    assert show(gtp) == (STUCK, "White (O) may play A1")
    assert ask(gtp, "undo") == "="
    assert show(gtp) == (STUCK, "Black (X) must pass")
    assert ask(gtp, "undo").startswith("? cannot undo")


def test_a_bot_that_must_pass_says_pass_and_its_move_implies_the_pass_of_the_other():
    gtp = session()
    ask(gtp, "boardsize 4", f"set_position {STUCK} black")
    assert ask(gtp, "reg_genmove white") == "= A1"
    assert show(gtp) == (STUCK, "Black (X) must pass")
    assert ask(gtp, "genmove black") == "= pass"
    assert ask(gtp, "genmove white") == "= A1"
    assert ask(gtp, "undo", "undo", "genmove white") == "= A1"
    assert ask(gtp, "undo") == "="
    assert show(gtp) == (STUCK, "Black (X) must pass")


def test_when_the_game_is_over_both_may_pass_and_not_move():
    gtp = session()
    position = "XXXXXXXO" + "-" * 56
    assert ask(gtp, f"set_position {position} O", "final_score") == "= B+62"
    assert ask(gtp, "genmove white") == "= pass"
    assert ask(gtp, "play black pass") == "="
    assert ask(gtp, "play black d3").startswith("? illegal move D3: the game is over")
    assert ask(gtp, "undo", "undo", "undo").startswith("? cannot undo")
    assert ask(gtp, "boardsize 4", "set_position XXXX--------OOOO w", "final_score") == "= 0"
    assert ask(gtp, "komi 6.5", "final_score") == "= 0"


# Bots of any kind


class Odd:
    """A bot that does anything, and notes the time it is given."""

    name = "odd"

    def __init__(self, choose):
        self.choose, self.left = choose, []

    def plays(self, game):
        return "oddly" if game.columns == 8 else ""

    def clock(self, seconds_left):
        self.left.append(seconds_left)


def raising(error):
    def choose(game, state):
        raise error

    return choose


ODDITIES = [
    (raising(Resigns("enough")), "= resign"),
    (raising(ZeroDivisionError("a\n\nb")), "? something went wrong inside: ZeroDivisionError"),
    (raising(SystemExit(3)), "? something went wrong inside: SystemExit: 3"),
    (lambda *_: (0, 0), "? odd chose (0, 0), which is not a legal move"),
    (lambda *_: PASS, "? odd chose (-1, -1), which is not a legal move"),
    (lambda *_: None, "? odd chose None, which is not a legal move"),
]


def test_the_session_survives_every_choice_of_a_bot():
    for choose, answer in ODDITIES:
        gtp = Session(Odd(choose), Othello())
        before = show(gtp)
        for command in ("genmove black", "reg_genmove black"):
            assert ask(gtp, command).startswith(answer)
            assert show(gtp) == before
        assert ask(gtp, "boardsize 9 7") == "? unacceptable size: odd does not play on 9x7"
        assert show(gtp) == before


def test_time_reaches_the_bot_that_has_a_clock():
    bot = Odd(lambda game, state: game.moves(state)[0])
    gtp = Session(bot, Othello())
    ask(gtp, "genmove black", "genmove white")
    assert bot.left == []
    ask(gtp, "time_settings 60 0 0", "genmove black", "time_left w 20 0", "genmove white")
    assert bot.left == [60, 20]
    ask(gtp, "genmove black", "time_left black 30 10", "genmove white", "genmove black")
    assert 0 < bot.left[2] < 60  # its own clock runs while it thinks
    assert bot.left[4] == 3
    ask(gtp, "time_settings 0 30 5", "genmove white", "time_settings 0 1 0", "genmove black")
    assert bot.left[5:] == [6]  # the last means no limit


# Real programs


@pytest.mark.slow
def test_open_spiels_gtp_bot_plays_whole_games_with_passes_on_both_sides():
    peer = pyspiel.load_game("othello")
    bot = GTPBot(peer, [*SERVER, "--bot", "random", "--seed", "1"])
    assert bot.name == "parlour random seed=1"
    passes, played = [0, 0], 0
    while played < 10 or min(passes) == 0:
        assert played < 100
        chance, ours = random.Random(played), played % 2
        bot.restart()
        state = peer.new_initial_state()
        while not state.is_terminal():
            mover = state.current_player()
            if mover == ours:
                action = bot.step(state)
            else:
                action = chance.choice(state.legal_actions())
                bot.inform_action(state, mover, action)
            passes[mover == ours] += state.action_to_string(action) == "pass"
            state.apply_action(action)
        board = "".join(re.findall("^[1-8] (.*) [1-8]$", str(state), re.MULTILINE))
        margin, empties = board.count("x") - board.count("o"), board.count("-")
        score = f"b+{margin + empties}" if margin > 0 else f"w+{empties - margin}"
        assert bot.gtp_cmd("final_score") == (score if margin else "0")
        played += 1
    with pytest.raises(CommandError, match="illegal move"):
        bot.gtp_cmd("play", "b", "a1")
    bot.close()


def garbage(chance):
    """A line of nonsense, as bytes without a new line; some of it nearly makes sense."""
    name = chance.choice(list(COMMANDS)).encode()
    noise = chance.randbytes(chance.randrange(60))
    kinds = [
        noise,
        name + b" " + noise,
        name + b" " + chance.choice([b"black", b"white", b"b", b"x", b"-5", b"9 7", b"1e999"]),
        b"9" * chance.randrange(1, 99) + b" " + name + b"#" + noise,
        b"\t \x00\x07\x1b[31m \r\xff\xfe\xc3(\xa0\xa1" + noise[:3],
        "žluťoučký kůň ＰＬＡＹ ＢＬＡＣＫ Ｄ３\u2028\u0085".encode(),
        chance.choice([b"", b"x" * 30_000, b" " * 30_000, b"1 " + noise * 2_000]),
    ]
    return chance.choice(kinds).replace(b"\n", b" ")


def split_words(line):
    """The words of a line by the letter of GTP: written anew, not as the server reads it."""
    text = line.split("#")[0]
    text = "".join(" " if c == "\t" else c for c in text if c == "\t" or 31 < ord(c) != 127)
    return [word for word in text.split(" ") if word]


def test_each_line_of_garbage_gets_one_answer_and_then_a_game_is_played():
    chance, lines = random.Random(11), 500
    gtp, answered = session(), 0
    for line in (garbage(chance) for _ in range(lines)):
        words = split_words(line.decode(errors="replace"))
        for cleaned in read_lines(io.BytesIO(line), MAX_LINE):
            answer = gtp.answer(cleaned)
            assert (answer != "") == (words != []), line[:99]
            number = words[0] if words and re.fullmatch("[0-9]+", words[0]) else ""
            assert not answer or re.match(rf"[=?]{number}(?![0-9])", answer), (words, answer)
            assert answer.isascii()
            answered += answer.startswith("=")
    assert answered > lines // 100
    game, state = Othello(), Othello().start()
    assert ask(gtp, "boardsize 8", "clear_board") == "="
    while moves := game.moves(state):
        move = chance.choice(moves)
        assert ask(gtp, f"play {'bw'[state[2]]} {write_vertex(move)}") == "="
        state = game.play(state, move)
    score = game.score(state)
    assert ask(gtp, "final_score") == f"= {'B' if score > 0 else 'W'}+{abs(score)}"


# The command


@pytest.fixture
def run(monkeypatch, capsys):
    """Talk to the command; its exit code, output and errors."""

    def call(typed, *arguments):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(typed.encode())))
        code = main(["gtp", *arguments])
        out, err = capsys.readouterr()
        return code, out, err

    return call


LEVELS = [
    (["--bot", "despacito", "--level", "3"], "despacito level=3"),
    (["--bot=Random", "--seed", "5"], "random seed=5"),
    (["--opening", "despacito", "--bot", "despacito"], "despacito"),
    (["--bot", "benedict plies=1", "--level", "2"], "benedict plies=2"),
]


def test_level_means_the_strength_of_each_bot(run):
    for arguments, name in LEVELS:
        assert run("name\nquit\nname\n", *arguments) == (0, f"= Parlour {name}\n\n=\n\n", "")


UNUSABLE = [
    ([], "name the bot that plays: --bot benedict, despacito"),
    (["--bot", "minimax depth"], "'depth' should be an option with its value"),
    (["--bot", "random", "--level", "3"], "random has no level; leave out --level"),
    (["--bot", "benedict", "--columns", "9"], "benedict does not play othello columns=9"),
    (["--bot", "standard"], "standard does not play othello; choose benedict"),
    (["--bot", "random", "--sed", "1"], "unknown flag '--sed'; did you mean '--seed'?"),
]


def test_an_unusable_command_is_refused_in_one_sentence(run):
    for arguments, reason in UNUSABLE:
        code, out, err = run("name\n", *arguments)
        assert (code, out) == (2, ""), arguments
        assert reason in err
        assert err.count("\n") == 1, err


def test_ctrl_c_ends_the_program_without_a_word():
    gtp = subprocess.Popen(
        [*SERVER, "--bot", "random"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    gtp.stdin.write(b"protocol_version\n")
    gtp.stdin.flush()
    assert gtp.stdout.readline() + gtp.stdout.readline() == b"= 2\n\n"
    gtp.send_signal(signal.SIGINT)
    assert gtp.communicate(timeout=60) == (b"", b"")
    assert gtp.returncode == 130


def test_output_of_a_bot_is_not_among_the_answers(run, tmp_path):
    bot = tmp_path / "talker.py"
    bot.write_text("def choose(game, state):\n    print('hm')\n    return game.moves(state)[0]\n")
    code, out, err = run("genmove black\n", "--bot", str(bot))
    assert (code, out, err) == (0, "= D3\n\n", "hm\n")


def test_the_conversation_in_the_book_is_a_real_one(run):
    page = (ROOT / "docs" / "gtp.md").read_text(encoding="utf-8")
    command, block = re.search(
        r"```text\n\$ parlour gtp ([^\n]*)\n\n(.*?)```", page, re.DOTALL
    ).groups()
    exchanges = [exchange.split("\n", 1) for exchange in block.strip().split("\n\n")]
    typed = "".join(line + "\n" for line, _ in exchanges)
    answers = "".join(answer + "\n\n" for _, answer in exchanges)
    assert run(typed, *command.split()) == (0, answers, "")
