"""The bot "onnx": a trained network in a file of the Open Neural Network Exchange.

Such a file holds a graph of known operations and its weights. Opening one runs no code of the
file's author: operations from libraries of somebody's own are not loaded, and weights are read from
the file and from others in its folder, nowhere else. A graph can still compute without end or fill
the memory, so the files of strangers play in the sandbox, as tournaments do with any file.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from parlour import core
from parlour.core import BadFile, Game, Move, ParlourError, State, describe, option, settle

if TYPE_CHECKING:
    from parlour.rl.encoding import Encoding
    from parlour.rl.policies import Policy

MAX_BYTES = 512 << 20  # of the file and its weights in `net.onnx.data`
SIGNS = {"prob": "probabilities", "value": "values", "q": "values"}  # how the output may be named
NEEDED = "a network in an .onnx file needs onnxruntime: pip install 'parlour[rl]'"


@dataclass
class Onnx:
    """A trained network in an .onnx file, fed with what `parlour.rl.Encoding` shows."""

    name: ClassVar[str] = "onnx"
    needs_trust: ClassVar[str] = "opens a file"  # so web pages and Benedict do not offer it

    model: str = option("", "the .onnx file")
    output: str = option(
        "by name",
        "what the numbers it gives for the actions are",
        choices=("by name", "logits", "probabilities", "values"),
    )
    sample: bool = option(False, "draw its moves by their probabilities instead of the best one")
    seed: int | None = option(None, "a number that makes its random draws repeatable", low=0)

    def __post_init__(self) -> None:
        settle(self)
        self._policies: dict[Game, Policy] = {}
        if self.model:
            load_network(self.model)  # what cannot be opened is refused at once

    def __reduce__(self) -> tuple[Any, ...]:
        return core.reduce_to_options(self)  # a session stays in its process

    def plays(self, game: Game) -> str:
        """Say that it plays a game whose observations and actions fit the network."""
        return "" if self.why_not(game) else "as it was trained"

    def why_not(self, game: Game) -> str:
        """Return why the network cannot play a game, or nothing."""
        if not self.model:
            return "it needs a file, like model=net.onnx"
        try:
            self._policy(game)
        except ParlourError as error:
            return str(error)
        return ""

    def choose(self, game: Game, state: State) -> Move:
        return self._policy(game).choose(game, state)

    def weights(self, game: Game, state: State) -> dict[Move, float]:
        return self._policy(game).weights(game, state)

    def _policy(self, game: Game) -> Policy:
        if game not in self._policies:
            if not self.model:
                raise ParlourError(f"the onnx bot {self.why_not(game)}")
            from parlour.rl.policies import Policy, encode

            fitted = load_network(self.model).fit(encode(game))
            output = fitted.output if self.output == "by name" else self.output
            self._policies[game] = Policy(
                fitted, output=output, sample=self.sample, seed=self.seed, name=describe(self)
            )
        return self._policies[game]


def load_network(path: str) -> Network:
    """Return the network in a file, opened again only when the file has changed."""
    file = Path(path).absolute()
    with core.files.explain_errors("read", file):
        now = file.stat()
    return _load_network(file, now.st_mtime_ns, now.st_size)


@lru_cache(maxsize=32)
def _load_network(path: Path, changed: int, size: int) -> Network:
    try:
        import onnxruntime
    except ImportError:
        raise ParlourError(NEEDED) from None
    beside = path.with_name(f"{path.name}.data")  # where exporters put large weights
    if size + (beside.stat().st_size if beside.is_file() else 0) > MAX_BYTES:
        raise BadFile(f"{path} has more than {MAX_BYTES >> 20} MiB, the most that is opened")
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = settings.inter_op_num_threads = 1
    settings.log_severity_level = 4  # what goes wrong is raised
    settings.enable_mem_pattern = False
    try:
        session = onnxruntime.InferenceSession(
            str(path), settings, providers=["CPUExecutionProvider"]
        )
    except Exception as error:  # the library has a dozen of its own
        raise BadFile(
            f"{path} is not an ONNX network that can be opened: {_shorten(error)}"
        ) from None
    return Network(session, path.name)


def _shorten(error: Exception) -> str:
    """Return the end of what the library says, without its number and name of the error."""
    return " ".join(str(error).rpartition(" : ")[2].split())[:200]


class Network:
    """A network that has been opened: what it takes and what it gives."""

    def __init__(self, session: Any, name: str) -> None:
        self.session = session
        self.name = name
        self.inputs: dict[str, Any] = {each.name: each for each in session.get_inputs()}
        self.outputs: dict[str, Any] = {each.name: each for each in session.get_outputs()}

    def fit(self, encoding: Encoding) -> FittedNetwork:
        """Return the network as a function for a game; `ParlourError` where it does not fit."""
        masks = [name for name in self.inputs if "mask" in name.casefold()]
        others = [name for name in self.inputs if name not in masks]
        if len(others) != 1 or len(masks) > 1:
            raise ParlourError(
                f"{self.name} takes {', '.join(self.inputs) or 'nothing'}; it should take an "
                "observation, and besides at most a mask, called so"
            )
        feeds = {others[0]: self._shape_of(self.inputs[others[0]], encoding.shape, encoding)}
        if masks:
            feeds[masks[0]] = self._shape_of(self.inputs[masks[0]], (encoding.size,), encoding)
        output = self._find_output(encoding)
        known = output.casefold()
        sign = next((meant for sign, meant in SIGNS.items() if known.startswith(sign)), "logits")
        types = {name: _dtype(self.inputs[name].type, self.name) for name in feeds}
        return FittedNetwork(self, feeds, types, output, sign)

    def _shape_of(self, given: Any, shape: tuple[int, ...], encoding: Encoding) -> tuple[int, ...]:
        """Return the shape in which an input takes what has this shape, with a batch of one."""
        flat = math.prod(shape)
        for wanted in ((1, *shape), (1, flat), shape, (flat,)):
            fits = len(given.shape) == len(wanted) and all(
                not isinstance(length, int) or length == own
                for length, own in zip(given.shape, wanted, strict=True)
            )
            if fits:
                return wanted
        raise ParlourError(
            f"{self.name} takes {core.quote(given.name)} of shape {_write_shape(given.shape)}, "
            f"and in {describe(encoding.game)} it is {_write_shape(shape)}"
        )

    def _find_output(self, encoding: Encoding) -> str:
        """Return the output with a number for each action, or else the one that is an action."""
        for name, each in self.outputs.items():
            if each.shape and each.shape[-1] == encoding.size:
                return name
        for name, each in self.outputs.items():
            if "int" in each.type and all(length in (1, None) for length in each.shape):
                return name
        for name, each in self.outputs.items():
            if each.shape and not isinstance(each.shape[-1], int):
                return name
        shapes = ", ".join(_write_shape(each.shape) for each in self.outputs.values())
        raise ParlourError(
            f"{self.name} gives {shapes}, and {describe(encoding.game)} has {encoding.size} actions"
        )


def _write_shape(shape: Any) -> str:
    return "x".join("?" if not isinstance(each, int) else str(each) for each in shape) or "none"


def _dtype(kind: str, name: str) -> str:
    """Return numpy's name for a type of the library's, such as `tensor(float)`."""
    inner = kind.removeprefix("tensor(").removesuffix(")")
    found = {"float": "float32", "double": "float64"}.get(inner, inner)
    if not re.fullmatch(r"bool|(float|u?int)[0-9]+", found):
        raise ParlourError(f"{name} takes {kind}, which is no array of numbers")
    return found


@dataclass(frozen=True)
class FittedNetwork:
    """A network as a function of an observation and a mask of one game."""

    network: Network
    shapes: dict[str, tuple[int, ...]]  # of its inputs, the observation first
    types: dict[str, str]
    given: str  # the name of the output
    output: str  # what its numbers are

    def __call__(self, observation: Any, mask: Any) -> Any:
        """Return what the network gives."""
        pairs = zip(self.shapes.items(), (observation, mask), strict=False)
        feed = {
            name: value.astype(self.types[name]).reshape(shape) for (name, shape), value in pairs
        }
        try:
            (found,) = self.network.session.run([self.given], feed)
        except Exception as error:  # the library has a dozen of its own
            raise ParlourError(f"{self.network.name} cannot be run: {_shorten(error)}") from None
        return found
