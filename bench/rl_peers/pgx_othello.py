"""pgx's Othello stepping random legal moves: a program of its own, as pgx needs JAX.

`python pgx_othello.py SIZE` keeps so many games. For every line on its input it plays a round and
answers with the moves made, the processor seconds and the seconds by the clock. Everything is in
one compiled loop: a random legal move in each game, the step with its observation and mask, and a
new game wherever one has ended. What is drawn is the legal action with the greatest random byte,
the fastest of four ways that were tried.
"""

from __future__ import annotations

import os
import sys
import time

os.environ["JAX_PLATFORMS"] = "cpu"

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset

STEPS = 64  # in one call
MOVES = 400_000  # in a round


def main() -> None:
    size = int(sys.argv[1])
    env = pgx.make("othello")
    step = jax.vmap(auto_reset(env.step, env.init), in_axes=(0, 0, None))

    def play(carry, _):
        state, key = carry
        key, for_move, for_step = jax.random.split(key, 3)
        chances = jax.random.bits(for_move, state.legal_action_mask.shape, jnp.uint8)
        action = jnp.argmax(
            jnp.where(state.legal_action_mask, chances.astype(jnp.int16) + 1, 0), axis=-1
        )
        state = step(state, action, for_step)
        return (state, key), state.rewards.sum()  # so that nothing is left out as unused

    @jax.jit
    def run(state, key):
        (state, key), rewards = jax.lax.scan(play, (state, key), None, length=STEPS)
        return state, key, rewards

    keys = jax.random.split(jax.random.PRNGKey(1), size)
    state, key = jax.jit(jax.vmap(env.init))(keys), jax.random.PRNGKey(2)
    state, key, _ = jax.block_until_ready(run(state, key))
    calls = max(1, MOVES // (size * STEPS))
    print(f"pgx {pgx.__version__}, JAX {jax.__version__}", flush=True)
    for _ in sys.stdin:
        began = time.process_time(), time.perf_counter()
        for _ in range(calls):
            state, key, rewards = run(state, key)
        jax.block_until_ready((state, rewards))
        seconds = time.process_time() - began[0], time.perf_counter() - began[1]
        print(calls * STEPS * size, *seconds, flush=True)


if __name__ == "__main__":
    main()
