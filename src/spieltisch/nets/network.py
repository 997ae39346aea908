"""The network: dense layers with ReLU, written once for NumPy and JAX."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from spieltisch.core.net import NetShape

Params: TypeAlias = Mapping[str, Any]  # arrays by name
HIDDEN_LOGIT = -1e9  # of seats that are not at the table


class Outputs(NamedTuple):
    """What the net predicts per seat, counted from the one that has chosen."""

    logits: Any  # float32[games, seats]
    points: Any  # float32[games, seats], divided by `Net.points`


def param_shapes(shape: NetShape) -> dict[str, tuple[int, ...]]:
    """The shape of every array of parameters, by name."""
    shapes: dict[str, tuple[int, ...]] = {}
    width = shape.inputs
    for number, units in enumerate(shape.hidden):
        shapes[f"weight{number}"], shapes[f"bias{number}"] = (width, units), (units,)
        width = units
        if number == 0 and shape.bilinear:
            _, groups, items, rank = shape.bilinear
            shapes["items_weight"], shapes["items_bias"] = (units, rank * items), (rank * items,)
            width += groups * rank
    shapes["out_weight"], shapes["out_bias"] = (width, 2 * shape.seats), (2 * shape.seats,)
    return shapes


def forward(xp: Any, shape: NetShape, params: Params, inputs: Any, players: Any) -> Outputs:
    """The net's outputs; `players` is the number of seats at each table, int[games] or one for all."""
    hidden = inputs
    for number in range(len(shape.hidden)):
        hidden = xp.maximum(hidden @ params[f"weight{number}"] + params[f"bias{number}"], 0.0)
        if number == 0 and shape.bilinear:
            hidden = xp.concatenate([hidden, _products(shape, params, inputs, hidden)], 1)
    out = hidden @ params["out_weight"] + params["out_bias"]
    present = xp.arange(shape.seats) < xp.reshape(xp.asarray(players), (-1, 1))
    return Outputs(xp.where(present, out[:, : shape.seats], HIDDEN_LOGIT), out[:, shape.seats :])


def _products(shape: NetShape, params: Params, inputs: Any, hidden: Any) -> Any:
    """The bilinear terms: float32[games, groups * rank]."""
    assert shape.bilinear
    first, groups, items, rank = shape.bilinear
    values = (hidden @ params["items_weight"] + params["items_bias"]).reshape(-1, items, rank)
    counts = inputs[:, first : first + groups * items].reshape(-1, groups, items)
    return (counts @ values).reshape(-1, groups * rank)


def shares(xp: Any, logits: Any) -> Any:
    """Softmax: each seat's expected share of the victory."""
    powers = xp.exp(logits - logits.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def margin(players: int, points: Any) -> Any:
    """The lead of the first seat over the best of the others."""
    return points[:, 0] - points[:, 1:players].max(1)
