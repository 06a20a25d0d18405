"""Fits the classifier of intents to the example lines, and measures what he understands.

    python -m tools.intents train      fits to all lines but those kept aside, writes the weights
    python -m tools.intents check      fits to all voices but one, and measures that one, for each
    python -m tools.intents measure    measures the lines kept aside with the weights shipped

A measured line is right if its intent is, and its move or number where it has one. A false act
changes something that the line did not ask for.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from tools.intents.examples import Example, find_scene, read_examples

from parlour.host.language import normalise
from parlour.host.understand import Meaning, vote
from parlour.host.understand.vote import ACTS, BUCKETS, FILE, HINT_BUCKETS, Weights

STRENGTH = 300.0  # how freely the weights fit the examples
ROUNDS = 60  # of the optimisation


def main(argv: Sequence[str] | None = None) -> None:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(prog="python -m tools.intents", description=__doc__)
    parser.add_argument("command", choices=["train", "check", "measure"])
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N wrong lines")
    asked = parser.parse_args(argv)
    examples = list(read_examples())
    known = [each for each in examples if not each.is_aside]
    if asked.command == "train":
        write(fit(known))
        print(f"{len(known)} lines; {FILE.stat().st_size:,} bytes")
    elif asked.command == "check":
        judge(
            [pair for voice in sorted({e.voice for e in known}) for pair in _check(known, voice)],
            asked.show,
        )
    else:
        judge([(each, understand(each)) for each in examples if each.is_aside], asked.show)


def _check(known: list[Example], voice: str) -> list[tuple[Example, Meaning]]:
    weights = fit([each for each in known if each.voice != voice])
    found = [(each, understand(each, weights)) for each in known if each.voice == voice]
    right = sum(is_right(*pair) for pair in found)
    print(f"{voice:12} {right / len(found):6.1%} of {len(found)}", flush=True)
    return found


# Fitting


def fit(examples: list[Example]) -> Weights:
    """Fit a softmax regression to the examples that have words."""
    from scipy.sparse import csr_matrix  # nothing else here needs it

    examples = [each for each in examples if normalise(each.text).words]
    intents = sorted({each.intent for each in examples})
    states = defaultdict(set)
    for each in examples:
        states[vote.name_kind(each.state)].add(each.intent)
    rows = [find_buckets(each) for each in examples]
    column = [bucket for buckets, _ in rows for bucket in buckets]
    values = [value for _, some in rows for value in some]
    row = [number for number, (buckets, _) in enumerate(rows) for _ in buckets]
    shape = (len(examples), BUCKETS + HINT_BUCKETS)
    features = csr_matrix((values, (row, column)), shape=shape)
    wanted = np.array([intents.index(each.intent) for each in examples])
    table = _regress(features, wanted, len(intents))
    scale = float(abs(table).max()) / 127
    whole = np.round(table / scale).astype(np.float32)
    return Weights(tuple(intents), {k: sorted(v) for k, v in states.items()}, scale, whole)


@cache
def find_buckets(each: Example) -> tuple[Sequence[int], Sequence[float]]:
    """Return the features of an example, as the host will see it."""
    session, scene = find_scene(each.state)
    heard = vote.listen(session, scene, normalise(each.text))
    return vote.find_buckets(heard.state, heard.line, vote.list_hints(heard))


def _regress(features: Any, wanted: np.ndarray, kinds: int) -> np.ndarray:
    from scipy.optimize import minimize

    number, size = features.shape
    target = np.zeros((number, kinds))
    target[np.arange(number), wanted] = 1
    flipped = features.T.tocsr()

    def lose(flat: np.ndarray) -> tuple[float, np.ndarray]:
        table = flat.reshape(size, kinds)
        scores = features @ table
        scores -= scores.max(axis=1, keepdims=True)
        chances = np.exp(scores)
        chances /= chances.sum(axis=1, keepdims=True)
        loss = -np.log(chances[np.arange(number), wanted] + 1e-12).mean()
        slope = flipped @ (chances - target) / number
        penalty = 1 / STRENGTH / number
        return loss + penalty * (flat @ flat) / 2, slope.ravel() + penalty * flat

    start = np.zeros(size * kinds)
    options = {"maxiter": ROUNDS}
    found = minimize(lose, start, jac=True, method="L-BFGS-B", options=options)
    return found.x.reshape(size, kinds)


def write(weights: Weights) -> None:
    """Write the weights as the host reads them."""
    head = {"intents": weights.intents, "states": weights.states, "scale": weights.scale}
    body = weights.table.T.astype(np.int8).tobytes()
    FILE.write_bytes(zlib.compress(json.dumps(head).encode() + b"\n" + body, 9))


# Measuring


def understand(each: Example, weights: Weights | None = None) -> Meaning:
    """Return what he makes of an example."""
    session, scene = find_scene(each.state)
    return vote.understand(session, scene, normalise(each.text), weights)


def is_right(each: Example, meaning: Meaning) -> bool:
    """Say whether he understood an example."""
    intent = vote.SAME.get(meaning.intent, meaning.intent)
    slots = meaning.slots
    if intent == "ask back":
        intent, slots = str(slots["intent"]), slots["slots"]
    if intent == "no-game":  # he says that there is none
        return slots["command"] == each.intent
    if each.intent == "again" and intent == "play":
        return slots.get("game") in (None, "nim" if each.state == "again" else each.state)
    if each.intent == "topic" and intent == "talk":  # in a talk they are one
        return each.state == "talk"
    if each.state == "confirm" and each.intent == "yes":
        return intent in ("yes", "resign")  # which is what he asked
    if each.intent == "move" and intent == "move":
        return _write_move(each, str(slots["is"])) == each.label.partition("=")[2]
    return intent == each.intent


def _write_move(each: Example, move: str) -> str:
    if each.state != "chopsticks":
        return move
    kind, *hands = move.split()
    short = [hand[0].upper() if hand.isalpha() else hand for hand in hands]
    return f"split {' '.join(short)}" if kind == "split" else ">".join(short)


def judge(pairs: list[tuple[Example, Meaning]], show: int) -> None:
    """Print how much was right, and what was not."""
    right = [is_right(*pair) for pair in pairs]
    acts = [p for p in pairs if p[1].intent in ACTS and p[0].intent not in {*ACTS, "two", *ANSWERS}]
    back = sum(meaning.intent == "ask back" for _, meaning in pairs)
    print(
        f"right {sum(right)} of {len(pairs)}: {np.mean(right):.1%}; false acts {len(acts)}: "
        f"{len(acts) / len(pairs):.1%}; asked back {back}"
    )
    bad = [pair for pair, good in zip(pairs, right, strict=True) if not good]
    wrong = Counter((each.intent, meaning.intent) for each, meaning in bad)
    print(", ".join(f"{a} as {b} {n}" for (a, b), n in wrong.most_common(40)))
    for each, meaning in acts[:show]:
        print(
            "ACT", each.state, each.label, meaning.intent, dict(meaning.slots), each.text, sep=" | "
        )
    for each, meaning in bad[:: max(1, len(bad) // show) if show else 1][:show]:
        print(each.state, each.label, meaning.intent, dict(meaning.slots), each.text, sep=" | ")


ANSWERS = {"yes", "no", "first", "second", "number", "any", "same"}  # what may lead to an act


if __name__ == "__main__":
    sys.exit(main())
