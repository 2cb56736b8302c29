"""Arguments that a hunt makes up are mostly such as a command would take."""

import json
import os
from pathlib import Path
from random import Random

from fairvec.catalogue import dataset_path, datasets, has_dataset
from fairvec.catalogue import entries as data_sets
from fuzz.arguments import FILE, changed_arguments, leaves
from fuzz.fair_values import fair_arguments
from fuzz.places import placed
from fuzz.published import DATA, NAMES, SETS, data_in, published
from fuzz.targets.commands import HONEST


def test_every_argument_of_every_command_has_values_that_it_would_take() -> None:
    lacking = [
        (*words, one.name)
        for words, command in leaves()
        for one in command.params
        if one.param_type_name == "argument" and not fair_arguments(words, one.name)
    ]
    assert lacking == []


def test_a_command_without_options_mostly_keeps_the_number_of_its_arguments() -> None:
    given = ["benchmarks", "show", HONEST["benchmarks show"]]
    made = [
        json.loads(
            changed_arguments(FILE, json.dumps(given).encode(), Random(n), (), files=["x"])[0]
        )
        for n in range(200)
    ]
    assert all(one[:2] == given[:2] for one in made)
    assert sum(len(one) == 3 for one in made) > 140
    assert sum(one[2:] in [[name] for name in NAMES] for one in made) > 80
    assert len({*map(tuple, made)}) > 40


def test_files_of_our_own_pass_for_published_ones_only_meanwhile(tmp_path: Path) -> None:
    placed(published(), tmp_path)
    before, known = os.environ.get(data_sets.VARIABLE), datasets()
    with data_in(tmp_path / DATA):
        assert [one.name for one in datasets()] == [one.name for one in known]
        assert {one.name for one in datasets() if has_dataset(one.name)} >= {*NAMES}
        assert dataset_path("mc30").read_bytes() == SETS["similarity"][0]
        assert {one.kind for one in datasets() if one.name in NAMES} == {*SETS}
    assert os.environ.get(data_sets.VARIABLE) == before
    assert datasets() == known
