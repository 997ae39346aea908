"""Checkpoint: the whole state of a training in one file, from which it is resumed."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar, Final
from zipfile import BadZipFile

import jax.numpy as jnp
import numpy as np

from spieltisch.core.game import Refusal
from spieltisch.i18n.message import message_factory
from spieltisch.nets.network import Params
from spieltisch.records.files import write_atomically
from spieltisch.training.learner import LearnerState

_META: Final = "meta"
_PARTS: Final = ("params", "average", "first", "second")
_say = message_factory("")


class BadCheckpoint(Refusal):
    """A checkpoint from which this training cannot be resumed."""

    code: ClassVar[str] = "bad-checkpoint"


def save_checkpoint(path: Path, state: LearnerState, meta: dict[str, Any]) -> None:
    """Writes the checkpoint; a crash leaves the former one or the new one."""
    trees: dict[str, Params] = {part: getattr(state, part) for part in _PARTS}
    arrays: dict[str, Any] = {
        f"{part}.{name}": np.asarray(array) for part, tree in trees.items() for name, array in tree.items()
    }
    arrays["updates"] = np.asarray(state.updates)
    arrays[_META] = np.frombuffer(json.dumps(meta).encode(), np.uint8)
    content = BytesIO()
    np.savez(content, **arrays)
    write_atomically(path, content.getvalue())


def load_checkpoint(path: Path, identity: dict[str, Any]) -> tuple[LearnerState, dict[str, Any]] | None:
    """The state and what was saved with it; None if there is none, BadCheckpoint if it is of another training."""
    if not path.exists():
        return None
    try:
        with np.load(BytesIO(path.read_bytes()), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        meta: dict[str, Any] = json.loads(arrays.pop(_META).tobytes())
        updates = jnp.asarray(arrays.pop("updates"))
        trees: dict[str, dict[str, Any]] = {part: {} for part in _PARTS}
        for name, array in arrays.items():
            part, _, key = name.partition(".")
            trees[part][key] = jnp.asarray(array)
    except (AttributeError, BadZipFile, EOFError, KeyError, TypeError, UnicodeDecodeError, ValueError):
        raise BadCheckpoint(_say("train.unreadable", file=str(path))) from None
    if meta.get("identity") != json.loads(json.dumps(identity)):
        raise BadCheckpoint(_say("train.other", folder=str(path.parent)))
    return LearnerState(updates=updates, **trees), meta
