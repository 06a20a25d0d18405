"""`parlour judge`: what it prints, writes and refuses."""

import json
import random
from urllib.parse import parse_qs, urlsplit

import parlour
from parlour.arena.judging.results import web_address
from parlour.faces.web.forms import read_variant
from parlour.faces.web.lab.view import address
from parlour.faces.web.position import read_walk
from parlour.faces.web.review.address import read_line
from tests.variants import VARIANTS


def test_one_agent_is_judged(run):
    code, out, _ = run("judge", "nim", "--misere", "--agent", "random")
    found = parlour.judge("nim misere=yes", "random")
    assert code == 0
    assert f"Right choices: {100 * found.right:.1f} % of {found.figures.critical}" in out
    assert "won, one right choice" in out
    assert "/lab/nim?misere=yes&position=" in out


def test_two_agents_are_compared(run):
    code, out, _ = run("judge", "nim", "--agent", "perfect", "random", "--mistakes", "0")
    assert code == 0
    assert "perfect is right more often" in out.splitlines()[-1]
    found = json.loads(run("judge", "nim", "--agent", "perfect", "random", "--json")[1])
    assert found["comparison"]["agents"] == ["perfect", "random"]
    assert found["comparison"]["right"][0] == 1


def test_checkpoints_are_a_curve(run, tmp_path):
    hats = parlour.hats("sticks")
    files = []
    for games in (0, 2_000, 20_000):
        parlour.train(hats, games - hats.games)
        files.append(tmp_path / f"after-{games}.json")
        files[-1].write_text(parlour.learn.storage.to_json(hats))
    page = tmp_path / "report.html"
    code, out, _ = run("judge", "sticks", "--checkpoint", *map(str, files), "--html", str(page))
    assert code == 0
    rows = [line.split() for line in out.splitlines() if line.startswith("after-")]
    assert [row[0] for row in rows] == ["after-0", "after-2000", "after-20000"]
    shares = [float(row[1]) for row in rows]
    assert shares == sorted(shares)
    assert "Learning curve" in page.read_text()


ERRORS = [
    (["nim"], "name the agent to judge"),
    (["nim", "--agent", "a", "b", "c"], "one agent or two"),
    (["nim", "--agent", "random", "--checkpoint", "random"], "not both"),
    (["nim", "--agent", "random", "--sample", "0"], "--sample must be"),
    (["nim", "--agent", "missing.json"], "cannot read missing.json"),
    (["nim", "--agent", "engine"], "does not play nim"),
    (["tictactoe", "--columns", "5", "--rows", "5", "--agent", "random"], "solve it on disk"),
    (["nim", "--agent", "random", "--html", "."], "cannot write"),
]


def test_errors_are_one_sentence_on_standard_error(check_refusals):
    check_refusals(ERRORS, "judge")


def test_ctrl_c_prints_the_answers_so_far(run, monkeypatch):
    def interrupt(call, **how):
        """Stop when a few situations are answered, as Ctrl-C does while `wait` watches."""
        work = parlour.Work()
        monkeypatch.setattr(
            parlour.Work, "stopped", property(lambda self: self.total == 15 and self.done >= 6)
        )
        call(work)
        raise KeyboardInterrupt

    monkeypatch.setattr("parlour.faces.progress.wait", interrupt)
    code, out, err = run("judge", "sticks", "--agent", "minimax")
    assert code == 130
    assert "A random sample of 6 situations" in out
    assert "9 situations were not reached" in out
    assert "[" in out  # its interval
    assert "Stopped early" in err


def test_ctrl_c_before_any_answer_says_so(run, monkeypatch):
    def interrupt(call, **how):
        raise KeyboardInterrupt

    monkeypatch.setattr("parlour.faces.progress.wait", interrupt)
    code, out, err = run("judge", "sticks", "--agent", "minimax")
    assert (code, out) == (130, "")
    assert "Stopped before the agent had answered." in err


# Addresses on the web site


def test_a_position_opens_where_its_address_says():
    for game in (game for game in VARIANTS if game.seats == 2):
        generator, state = random.Random(1), game.start()
        for _ in range(3):
            if moves := game.moves(state):
                state = game.play(state, moves[generator.randrange(len(moves))])
        position = game.write(state)
        made = web_address(game, position)
        assert made == address(game, position)
        query = {name: each[0] for name, each in parse_qs(urlsplit(made).query).items()}
        opened = read_variant(game.name, query).require_game()
        assert opened == game
        assert game.write(read_walk("lab", opened, query["position"], ()).state) == position
        analysed = urlsplit(web_address(game, position, solved=False))
        assert analysed.path == f"/analyse/{game.name}/walk"
        query = {name: each[0] for name, each in parse_qs(analysed.query).items()}
        line = read_line(game.name, query)
        assert line.game == game
        assert game.write(line.states[-1]) == position
