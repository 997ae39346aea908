"""Weights file: a net's parameters in half precision with what they are for, as an .npz archive without pickles."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar, Final
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from spieltisch import registry
from spieltisch.core.game import AnyGame, Refusal, brief
from spieltisch.core.net import NetShape
from spieltisch.i18n.message import message_factory
from spieltisch.nets.network import Params, param_shapes

FORMAT: Final = 1
MAX_BYTES: Final = 2_000_000
_META: Final = "meta"
_say = message_factory("")


class BadWeights(Refusal):
    """A weights file that cannot be used here."""

    code: ClassVar[str] = "bad-weights"


@dataclass(frozen=True)
class WeightsInfo:
    """What the weights are for and how they came about."""

    game: str
    rules: int
    inputs: str  # `Net.version`
    hidden: tuple[int, ...]
    trained: dict[str, list[int]]  # the numbers of players by `Net.variant`
    recipe: dict[str, Any]
    seed: int
    date: str
    figures: dict[str, Any] = field(default_factory=dict)
    format: int = FORMAT


@dataclass(frozen=True)
class Weights:
    """Loaded weights: parameters in single precision, the shape of their net, and what they are for."""

    info: WeightsInfo
    shape: NetShape
    params: Params


def encode_weights(info: WeightsInfo, params: Params) -> bytes:
    """The content of a weights file."""
    arrays: dict[str, NDArray[Any]] = {name: np.asarray(array, np.float16) for name, array in params.items()}
    arrays[_META] = np.frombuffer(json.dumps(asdict(info), ensure_ascii=False).encode(), np.uint8)
    content = BytesIO()
    np.savez_compressed(content, **arrays)  # type: ignore[arg-type]
    return content.getvalue()


def load_weights(path: Path, game: AnyGame) -> Weights:
    """Reads a weights file for a game; BadWeights says what does not fit."""
    net = registry.net(game)
    name = path.name
    if net is None:
        raise BadWeights(_say("weights.no_net", title=game.title))
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadWeights(_say("weights.size", file=name, most=MAX_BYTES // 1_000_000))
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as archive:
            arrays = {key: archive[key] for key in archive.files}
        meta = json.loads(arrays.pop(_META).tobytes())
        meta["hidden"] = tuple(int(width) for width in meta["hidden"])
        info = WeightsInfo(**meta)
    except FileNotFoundError:
        raise BadWeights(_say("weights.missing", file=name)) from None
    except (AttributeError, BadZipFile, EOFError, KeyError, OSError, TypeError, UnicodeDecodeError, ValueError):
        raise BadWeights(_say("weights.unreadable", file=name)) from None
    if info.game != game.name:
        raise BadWeights(_say("weights.game", file=name, given=brief(info.game), title=game.title))
    if info.rules != game.rules[-1]:
        raise BadWeights(_say("weights.rules", file=name, given=info.rules, current=game.rules[-1]))
    if info.format != FORMAT or info.inputs != net.version:
        raise BadWeights(_say("weights.inputs", file=name, given=brief(info.inputs), current=net.version))
    shape = net.shape(info.hidden)
    if {key: array.shape for key, array in arrays.items()} != param_shapes(shape):
        raise BadWeights(_say("weights.unreadable", file=name))
    params = {key: array.astype(np.float32) for key, array in arrays.items()}
    if not all(np.isfinite(array).all() for array in params.values()):
        raise BadWeights(_say("weights.unreadable", file=name))
    return Weights(info, shape, params)
