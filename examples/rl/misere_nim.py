"""Train agents on misère Nim, and find out how good they are.

    make rl

MaskablePPO of sb3-contrib plays both seats against random moves, and so does a learner with a
plain table. Then both are judged in every situation where a choice can be wrong, beside a random
and a perfect player, and so is every checkpoint of the training.
"""

import sys
from functools import partial
from pathlib import Path

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

import parlour

GAME = parlour.game("nim", piles=(1, 3, 5), misere=True)
STEPS = 60_000
CHECKPOINTS = 10
TORCH_AGENT = Path(__file__).with_name("torch_agent.py")


def main(folder: Path) -> None:
    """Train, save, judge and draw."""
    folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    print(f"MaskablePPO makes {STEPS:,} moves of misère Nim …")
    model, checkpoints = train_ppo(folder)
    agents = {
        "random": "random",
        "MaskablePPO": parlour.rl.stable_baselines3(model),
        "its weights in PyTorch": str(save_torch_agent(model, folder)),  # in the sandbox
        "tabular Q-learning": train_table(),
        "perfect": "perfect",
    }
    print("agent                     right choices   regret   won against random")
    for name, agent in agents.items():
        found = parlour.judge(GAME, agent)
        won = win_share(agent)
        print(f"{name:24}  {found.right:12.1%}  {found.regret:7.3f}   {won:18.1%}")
    curve = parlour.judge(GAME, checkpoints)
    for name in curve:
        print(f"{name:>16}: {curve[name].right:6.1%}")
    flags = "nim --piles 1 3 5 --misere"
    print(f"For a report: parlour judge {flags} --checkpoint {folder}/ppo-*.zip --html report.html")
    print(f"To play against one: parlour web {folder}/ppo.zip")


def train_ppo(folder: Path) -> tuple[MaskablePPO, dict[str, str]]:
    """Train a network in both seats; return it and the files of its checkpoints."""
    seats = [partial(parlour.rl.gymnasium, GAME, seat=seat) for seat in (0, 1)]
    model = MaskablePPO("MlpPolicy", DummyVecEnv(seats), n_steps=512, seed=1, device="cpu")
    checkpoints = {}
    for number in range(1, CHECKPOINTS + 1):
        model.learn(STEPS // CHECKPOINTS, reset_num_timesteps=False)
        path = folder / f"ppo-{number:02}.zip"
        model.save(path)
        checkpoints[f"{model.num_timesteps:,} moves"] = str(path)
    model.save(folder / "ppo.zip")
    return model, checkpoints


def save_torch_agent(model: MaskablePPO, folder: Path) -> Path:
    """Save the weights of the network that chooses, beside the file that builds it."""
    layers = [*model.policy.mlp_extractor.policy_net, model.policy.action_net]
    agent = folder / TORCH_AGENT.name
    agent.write_text(TORCH_AGENT.read_text(encoding="utf-8"), encoding="utf-8")
    torch.save(torch.nn.Sequential(*layers).state_dict(), agent.with_suffix(".pt"))
    return agent


def train_table(episodes: int = 20_000, rate: float = 0.2, explore: float = 0.3):
    """Learn the value of every action in every observation, by Q-learning."""
    random = np.random.default_rng(1)
    values: dict[bytes, np.ndarray] = {}

    def row(observation):
        return values.setdefault(observation.tobytes(), np.zeros(seats[0].action_space.n))

    seats = [parlour.rl.gymnasium(GAME, seat=seat) for seat in (0, 1)]
    for episode in range(episodes):
        env = seats[episode % 2]
        observation, info = env.reset(seed=episode if episode < 2 else None)
        over = False
        while not over:
            here, legal = row(observation), np.flatnonzero(info["action_mask"])
            if random.random() < explore:
                action = random.choice(legal)
            else:
                action = legal[np.argmax(here[legal])]
            observation, reward, over, _, info = env.step(action)
            if not over:
                reward = row(observation)[np.flatnonzero(info["action_mask"])].max()
            here[action] += rate * (reward - here[action])
    nothing = np.zeros(parlour.rl.Encoding(GAME).size)
    return parlour.rl.policy(
        lambda observation, mask: values.get(observation.tobytes(), nothing),
        output="values",
        name="table",
    )


def win_share(agent, games: int = 200) -> float:
    """Return the share of games it wins against random moves, in both seats."""
    table = parlour.tournament(GAME, [agent, "random"], games=games, seed=1)
    first = table.to_dict()["rows"]
    return next(row["points"] / row["games"] for row in first if row["entry"] == 0)


if __name__ == "__main__":
    main(Path(sys.argv[1] if sys.argv[1:] else "."))
