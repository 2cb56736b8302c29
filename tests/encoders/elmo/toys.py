"""Tiny ELMos of random weights, and the same sums once more: word by word, in numpy, float64."""

import json
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from fairvec.languages.sentences import Sentence

Numbers = NDArray[np.float64]


def toy_options(**changes: Any) -> dict[str, Any]:
    """Options in which `char_cnn__x` and `lstm__x` are changed."""
    options: dict[str, Any] = {
        "char_cnn": {
            "activation": "relu",
            "embedding": {"dim": 3},
            "filters": [[1, 4], [2, 3], [5, 2]],
            "n_highway": 2,
            "n_characters": 262,
            "max_characters_per_token": 12,
        },
        "lstm": {
            "dim": 7,
            "projection_dim": 4,
            "n_layers": 2,
            "cell_clip": 0.6,
            "proj_clip": 0.4,
            "use_skip_connections": True,
        },
        "dropout": 0.1,
    }
    for name, value in changes.items():
        part, _, key = name.partition("__")
        options[part][key] = value
    return options


def toy_arrays(options: dict[str, Any], seed: int = 0) -> dict[str, NDArray[np.float32]]:
    draw = np.random.default_rng(seed)
    letters, lstm = options["char_cnn"], options["lstm"]
    width, size, projected = letters["embedding"]["dim"], lstm["dim"], lstm["projection_dim"]
    features = sum(number for _, number in letters["filters"])
    shapes: dict[str, tuple[int, ...]] = {"char_embed": (261, width)}
    for n, (reach, number) in enumerate(letters["filters"]):
        shapes |= {f"CNN/W_cnn_{n}": (1, reach, width, number), f"CNN/b_cnn_{n}": (number,)}
    for n in range(letters["n_highway"]):
        for gate in ("carry", "transform"):
            shapes[f"CNN_high_{n}/W_{gate}"] = (features, features)
            shapes[f"CNN_high_{n}/b_{gate}"] = (features,)
    shapes |= {"CNN_proj/W_proj": (features, projected), "CNN_proj/b_proj": (projected,)}
    for direction in (0, 1):
        for layer in range(lstm["n_layers"]):
            where = f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"
            shapes[f"{where}/W_0"] = (2 * projected, 4 * size)
            shapes[f"{where}/B"] = (4 * size,)
            shapes[f"{where}/W_P_0"] = (size, projected)
    return {name: draw.normal(size=shape).astype("f4") for name, shape in shapes.items()}


def write_elmo(
    folder: Path, options: dict[str, Any], arrays: dict[str, NDArray[Any]] | None = None
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "options.json").write_text(json.dumps(options), encoding="utf-8")
    with h5py.File(folder / "toy_weights.hdf5", "w") as file:
        for name, array in (toy_arrays(options) if arrays is None else arrays).items():
            file[name] = array
    return folder


def toy_elmo(folder: Path, **changes: Any) -> Path:
    return write_elmo(folder, toy_options(**changes))


def slowly(folder: Path, tokens: list[str]) -> Numbers:
    """All layers of one sentence (layer, token, number)."""
    options = json.loads((folder / "options.json").read_text(encoding="utf-8"))
    lstm = options["lstm"]
    with h5py.File(folder / "toy_weights.hdf5") as file:
        held: dict[str, Numbers] = {}
        file.visititems(
            lambda name, item: (
                held.update({name: item[()].astype(float)})
                if isinstance(item, h5py.Dataset)
                else None
            )
        )
    marked = [[256], *([*token.encode()] for token in tokens), [257]]
    words = [_slow_word(options, held, inside) for inside in marked]
    halves = []
    for direction in (0, 1):
        rows = words if direction == 0 else words[::-1]
        levels = [rows]
        for layer in range(lstm["n_layers"]):
            where = f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"
            given = _slow_lstm(lstm, held, where, rows)
            if layer > 0 and lstm.get("use_skip_connections"):
                given = [one + other for one, other in zip(given, rows, strict=True)]
            rows = given
            levels.append(rows)
        halves.append([level if direction == 0 else level[::-1] for level in levels])
    return np.concatenate([np.array(half) for half in halves], axis=2)[:, 1:-1]


def _slow_word(options: dict[str, Any], held: dict[str, Numbers], inside: list[int]) -> Numbers:
    letters = options["char_cnn"]
    most = letters["max_characters_per_token"]
    ids = [258, *inside[: most - 2], 259]
    ids += [260] * (most - len(ids))
    # Counted from 1 after a row of zeros, as AllenNLP does.
    table = np.vstack([np.zeros((1, letters["embedding"]["dim"])), held["char_embed"]])
    seen = table[np.array(ids) + 1]
    answers: list[float] = []
    for n, (reach, number) in enumerate(letters["filters"]):
        kernel, bias = held[f"CNN/W_cnn_{n}"][0], held[f"CNN/b_cnn_{n}"]
        for f in range(number):
            sums = [
                float((seen[start : start + reach] * kernel[:, :, f]).sum() + bias[f])
                for start in range(most - reach + 1)
            ]
            best = max(sums)
            answers.append(max(best, 0.0) if letters["activation"] == "relu" else np.tanh(best))
    word = np.array(answers)
    for n in range(letters.get("n_highway", 0)):
        part = f"CNN_high_{n}"
        carry = _sigmoid(word @ held[f"{part}/W_carry"] + held[f"{part}/b_carry"])
        change = np.maximum(word @ held[f"{part}/W_transform"] + held[f"{part}/b_transform"], 0)
        word = carry * change + (1 - carry) * word
    if "CNN_proj/W_proj" in held:
        word = word @ held["CNN_proj/W_proj"] + held["CNN_proj/b_proj"]
    return word


def _slow_lstm(
    lstm: dict[str, Any], held: dict[str, Numbers], where: str, rows: list[Numbers]
) -> list[Numbers]:
    size = lstm["dim"]
    h, c = np.zeros(lstm["projection_dim"]), np.zeros(size)
    given = []
    for x in rows:
        sums = np.concatenate([x, h]) @ held[f"{where}/W_0"] + held[f"{where}/B"]
        i, j, f, o = (sums[k * size : (k + 1) * size] for k in range(4))
        c = _sigmoid(f + 1) * c + _sigmoid(i) * np.tanh(j)
        if lstm.get("cell_clip"):
            c = np.clip(c, -lstm["cell_clip"], lstm["cell_clip"])
        h = _sigmoid(o) * np.tanh(c)
        if f"{where}/W_P_0" in held:
            h = h @ held[f"{where}/W_P_0"]
            if lstm.get("proj_clip"):
                h = np.clip(h, -lstm["proj_clip"], lstm["proj_clip"])
        given.append(h)
    return given


def _sigmoid(x: Numbers) -> Numbers:
    sigmoid: Numbers = 1 / (1 + np.exp(-x))
    return sigmoid


def each_token(tokens: list[str]) -> list[Sentence]:
    """The sentence once for each of its tokens, which is then the word."""
    return [
        Sentence(
            "".join(f"{one} " for one in tokens[:n]),
            token,
            "".join(f" {one}" for one in tokens[n + 1 :]),
        )
        for n, token in enumerate(tokens)
    ]
