"""Which model plays a paper's role."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from fairvec import load
from fairvec.catalogue import cache_folder, datasets, find
from fairvec.catalogue.entries import Url
from fairvec.catalogue.fetch import cached_path
from fairvec.embedding.embedding import Step
from fairvec.embedding.saving import save
from fairvec.papers import PAPERS, load_paper, models
from fairvec.papers.models import (
    absent_note,
    how_to_get,
    models_for_role,
    models_in_data,
    roles_to_train,
)
from fairvec.papers.schema import ModelRole
from tests.papers.conftest import Make, words_of, write_model

FLAT = ModelRole(title="Flat", model="ruscorpora", dimensions=5, stand_ins=("navec-ru-small",))
BALL = ModelRole(title="Ball", origin="https://example.org", dimensions=5, geometry="poincare")


def sized(role: ModelRole, **known: object) -> ModelRole:
    return ModelRole.model_validate(role.model_dump() | known)


ANY = sized(FLAT, model=None)
"""Of this one nothing but the dimensions is published, as of Malik's GloVe."""


def test_a_file_is_the_users_where_nothing_published_tells_it_from_another(
    make_model: Make,
) -> None:
    (player,) = models_for_role(ANY, [str(make_model(["pestova/e1"], dimensions=5))], [])
    assert (player.is_the_papers, player.is_unverified) == (False, True)
    assert player.mismatch_reason.startswith(
        "is your model in the place of Flat: nothing that is published"
    )
    assert player.embedding.name == "small"


def test_a_small_model_of_the_right_dimensions_is_not_maliks(make_model: Make) -> None:
    path = make_model(["malik2022/maths-arts"], dimensions=300, name="glove")
    (player,) = models_for_role(load_paper("malik2022").roles["glove"], [str(path)], [])
    assert (player.is_the_papers, player.is_unverified) == (False, True)


def test_other_dimensions_show_that_a_file_is_not_the_papers(make_model: Make) -> None:
    (player,) = models_for_role(FLAT, [str(make_model(["pestova/e1"], dimensions=4))], [])
    assert (player.is_the_papers, player.is_unverified) == (False, False)
    assert player.mismatch_reason == "stands in for Flat, because it has 4 dimensions, not 5"


def test_another_number_of_words_shows_that_a_file_is_not_the_papers(make_model: Make) -> None:
    path = str(make_model(["kumar2020/b1"], dimensions=5))
    (player,) = models_for_role(sized(ANY, words="189,533"), [path], [])
    assert player.mismatch_reason == "stands in for Flat, because it has 32 words, not 189,533"
    (player,) = models_for_role(sized(ANY, words="32"), [path], [])
    assert player.is_the_papers
    assert player.identified_by == "its 32 words and 5 dimensions alone"


def test_a_rounded_number_of_words_rules_out_and_never_tells(make_model: Make) -> None:
    path = str(make_model(["kumar2020/b1"], dimensions=5))
    (player,) = models_for_role(sized(ANY, words="0.1k"), [path], [])
    assert player.mismatch_reason == "stands in for Flat, because it has 32 words, not 0.1k"
    (player,) = models_for_role(sized(ANY, words="0.03k"), [path], [])
    assert player.is_unverified
    (player,) = models_for_role(sized(ANY, words="0.03k", counted=32), [path], [])
    assert player.is_the_papers
    (player,) = models_for_role(sized(ANY, words="0.03k", counted=31), [path], [])
    assert player.mismatch_reason == "stands in for Flat, because it has 32 words, not 31"


def test_the_catalogue_counts_the_words_of_a_file_too(make_model: Make) -> None:
    (player,) = models_for_role(FLAT, [str(make_model(["kumar2020/b1"], dimensions=5))], [])
    assert player.mismatch_reason == "stands in for Flat, because it has 32 words, not 189,193"


def test_repeated_words_count_as_the_file_has_them(make_model: Make) -> None:
    path = make_model(["kumar2020/b1"], dimensions=5)
    _, *rows = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(["33 5", *rows, rows[0]]) + "\n", encoding="utf-8")
    (player,) = models_for_role(sized(ANY, words="33"), [str(path)], [])
    assert (player.is_the_papers, len(player.embedding)) == (True, 32)


@pytest.mark.parametrize("of", ["file", "content"])
def test_a_known_fingerprint_decides_whatever_the_name(
    of: str, make_model: Make, tmp_path: Path
) -> None:
    path = make_model(["kumar2020/b1"], dimensions=5)
    whole = sha256(path.read_bytes()).hexdigest()
    known = whole if of == "file" else load(path).content_hash
    role = sized(ANY, words="32", sha256=[known])
    renamed = path.rename(tmp_path / "something-else.txt")
    (player,) = models_for_role(role, [str(renamed)], [])
    assert (player.is_the_papers, player.identified_by) == (True, "its SHA-256")
    other = write_model(tmp_path / "small.txt", ["kumar2020/b1"], dimensions=5, seed=2)
    (player,) = models_for_role(role, [str(other)], [])
    assert (player.is_the_papers, player.is_unverified) == (False, True)


def test_a_model_in_another_format_keeps_its_fingerprint(make_model: Make, tmp_path: Path) -> None:
    model = load(make_model(["kumar2020/b1"], dimensions=5))
    save(model, tmp_path / "other.npz")
    role = sized(ANY, sha256=[model.content_hash])
    (player,) = models_for_role(role, [str(tmp_path / "other.npz")], [])
    assert player.is_the_papers


def test_what_was_made_with_fairvec_is_not_the_papers(make_model: Make, tmp_path: Path) -> None:
    like = load(make_model(["kumar2020/b1"], dimensions=5))
    role = sized(ANY, words="32")
    for action, message in (
        ("trained", "it was trained with fairvec"),
        ("subset", "it was cut to some words"),
        ("debias", "it was debiased with fairvec"),
    ):
        own = replace(like, history=(Step(action), Step("moved")))
        save(own, tmp_path / "own.fairvec", force=True)
        (player,) = models_for_role(role, [str(tmp_path / "own.fairvec")], [])
        assert player.mismatch_reason == f"stands in for Flat, because {message}"
    save(replace(like, history=(Step("moved"),)), tmp_path / "moved.fairvec")
    (player,) = models_for_role(role, [str(tmp_path / "moved.fairvec")], [])
    assert player.is_the_papers


def test_a_model_that_was_cut_to_as_many_words_is_not_the_papers(
    make_model: Make, tmp_path: Path
) -> None:
    path = make_model(["kumar2020/b1"], dimensions=5)
    some = load(path, words=load(path).keys[:20])
    save(some, tmp_path / "cut.fairvec")
    (player,) = models_for_role(sized(ANY, words="20"), [str(tmp_path / "cut.fairvec")], [])
    assert player.mismatch_reason == "stands in for Flat, because it was cut to some words"


def test_another_name_of_the_catalogue_is_not_the_papers() -> None:
    (player,) = models_for_role(FLAT, ["navec-ru-small"], [])
    assert player.mismatch_reason == "stands in for Flat"


def test_stand_ins_are_never_the_papers(make_model: Make) -> None:
    own, other = models_for_role(
        sized(ANY, words=str(len(words_of(["pestova/e1"])))),
        [str(make_model(["pestova/e1"], dimensions=5))],
        [str(make_model(["pestova/e1"], dimensions=5, name="other"))],
    )
    assert own.is_the_papers
    assert (other.is_the_papers, other.is_unverified) == (False, False)


def test_a_file_in_the_role_of_a_ball_is_a_ball(make_model: Make) -> None:
    path = str(make_model(["kumar2020/b1"], dimensions=5))
    (ball,) = models_for_role(sized(BALL, words="32"), [path], [])
    assert (ball.embedding.geometry.name, ball.is_the_papers) == ("poincare", True)
    (flat,) = models_for_role(FLAT, [path], [])
    assert flat.embedding.geometry.name == "euclidean"


def test_a_space_that_is_not_the_papers_shows() -> None:
    role = ModelRole(title="Flat", model="poincare-glove-en-small")
    (player,) = models_for_role(role, ["poincare-glove-en-small"], [])
    assert player.mismatch_reason == "stands in for Flat, because its geometry is poincare"


def test_without_a_given_model_what_is_local_plays() -> None:
    (player,) = models_for_role(FLAT, [], [])
    assert (player.embedding.name, player.is_the_papers) == ("navec-ru-small", False)
    assert models_for_role(BALL, [], []) == []


def test_the_papers_own_model_goes_before_its_stand_in() -> None:
    role = sized(FLAT, model="glove-hi-small", dimensions=None)
    (player,) = models_for_role(role, [], [])
    assert (player.embedding.name, player.is_the_papers) == ("glove-hi-small", True)


def test_a_kept_file_that_is_not_what_the_catalogue_promises_is_not_the_papers(
    make_model: Make,
) -> None:
    model = find("ruscorpora")
    assert isinstance(model.source, Url)
    kept = cached_path(model, model.source)
    kept.parent.mkdir(parents=True)
    assert cache_folder() in kept.parents
    Path(make_model(["kumar2020/b1"], dimensions=5)).rename(kept)
    (player,) = models_for_role(FLAT, [], [])
    assert player.embedding.name == "ruscorpora"
    assert player.mismatch_reason == "stands in for Flat, because it has 32 words, not 189,193"


@pytest.mark.parametrize(
    ("role", "text"),
    [
        (FLAT, "run: fairvec models get ruscorpora"),
        (
            BALL,
            "download it from https://example.org, say as r.txt, and run: "
            "fairvec reproduce toy --model r=r.txt",
        ),
        (
            ModelRole(title="Made"),
            "get its vectors, say as r.txt, and run: fairvec reproduce toy --model r=r.txt",
        ),
        (
            ModelRole(title="Read", encoder=True),
            "get its folder and run: fairvec reproduce toy --model r=FOLDER",
        ),
    ],
)
def test_the_remedy_is_an_exact_command(role: ModelRole, text: str) -> None:
    assert how_to_get("toy", "r", role) == text


def test_only_what_is_published_is_reported_to_be_fetched() -> None:
    names = [known.name for known in datasets()]
    named = {known.name for known in datasets() if "benchmarks get" in absent_note([known.name])}
    assert named == {known.name for known in datasets() if known.source}
    assert named not in (set(), {*names})
    assert all(("FAIRVEC_DATA" in absent_note([name])) == (name not in named) for name in names)
    both = absent_note(names[-2:])
    assert all(f"The benchmark {name} is not at hand" in both for name in names[-2:])


# --- Models of FAIRVEC_DATA play unasked, and recipes fill what is left ---


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("FAIRVEC_DATA", str(folder))
    return folder


def test_a_model_of_the_data_folder_plays_before_a_shipped_one(data: Path) -> None:
    role = sized(FLAT, data=["twins/flat.txt", "twins/other.txt"])
    assert [each.model.name for each in models_for_role(role, [], [])] == ["navec-ru-small"]
    (data / "twins").mkdir()
    for name in ("other", "flat"):
        write_model(data / "twins" / f"{name}.txt", ["pestova/e1"], dimensions=5)
    (player,) = models_for_role(role, [], [])
    assert (player.model.name, player.mismatch_reason) == ("flat", "stands in for Flat")
    (given,) = models_for_role(role, [], ["navec-ru-small"])
    assert given.model.name == "navec-ru-small"


def test_a_point_of_the_data_folder_lies_in_the_ball_of_its_role(data: Path) -> None:
    write_model(data / "ball.txt", ["kumar2020/b1"], dimensions=5)
    (player,) = models_for_role(sized(BALL, data=["ball.txt"]), [], [])
    assert player.model.geometry.name == "poincare"


def test_an_encoder_of_the_data_folder_plays_where_its_packages_are(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    role = ModelRole(title="Reader", encoder=True, data=("enc",))
    (data / "enc").mkdir()
    monkeypatch.setattr(models, "find_spec", lambda name: None if name == "torch" else object())
    assert models_for_role(role, [], []) == []
    monkeypatch.setattr(models, "find_spec", lambda name: object())
    assert models_in_data(role) == [str(data / "enc")]


def test_recipes_are_for_roles_without_a_model(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pestova, kumar = load_paper("pestova"), load_paper("kumar2020")
    wanted = roles_to_train(pestova, ())
    assert [each.name for each in wanted["rnc-cbow"]] == ["ru-mixed-cbow"]
    assert {*wanted} == {*pestova.roles}
    assert {*roles_to_train(pestova, {"rnc-cbow"})} == {*wanted} - {"rnc-cbow"}
    monkeypatch.setattr(models, "has_own_model", lambda role: role.model == "tayga")
    assert {*roles_to_train(pestova, ())} == {*wanted} - {"tayga-skip"}
    # The very model that the recipe makes is there, unless another text is wanted.
    assert {*roles_to_train(kumar, ())} == {"e-glove", "p-glove"}
    (found,) = roles_to_train(kumar, ())["e-glove"]
    (data / found.unless).parent.mkdir()
    (data / found.unless).touch()
    assert {*roles_to_train(kumar, ())} == {"p-glove"}
    assert {*roles_to_train(kumar, (), {"e-glove"})} == {"e-glove", "p-glove"}


def test_every_table_has_a_model_for_each_column_with_the_data_folder() -> None:
    """Each role has a recipe or a model of the data folder, but those made from another."""
    for name in PAPERS:
        roles = load_paper(name).roles.values()
        assert all(role.recipes or role.data or role.made_from for role in roles)
    with pytest.raises(ValueError, match="did you mean hi-wiki-cbow"):
        sized(FLAT, recipes=["hi-wiki-cbo"])
