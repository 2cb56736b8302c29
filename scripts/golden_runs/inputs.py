"""Files that runs start from: made up here, the same on every machine."""

from collections.abc import Callable
from pathlib import Path
from random import Random

FRENCH = {
    "metiers_techniques": "ingénieur mécanicien pilote soudeur maçon plombier électricien pompier",
    "metiers_du_soin": "infirmière coiffeuse nourrice institutrice secrétaire couturière "
    "caissière sage-femme",
    "hommes": "il homme garçon père fils frère oncle mari",
    "femmes": "elle femme fille mère sœur tante épouse nièce",
    "fleurs": "rose lilas tulipe iris muguet pivoine violette œillet",
    "insectes": "guêpe puce moustique cafard mouche fourmi taon punaise",
    "agreable": "amour paix joie cadeau rire ami soleil fête",
    "desagreable": "peine guerre deuil poison larmes ennemi prison mort",
}
"""Lists of our own, by their names in the suite."""

LEANINGS = (0.5, -0.5, 1.0, -1.0, 0.5, -0.5, 1.0, -1.0)
"""How far the words of each list lie along the direction that two pairs of lists share."""

FRENCH_TESTS = (
    ("metiers", "Métiers techniques et du soin, hommes et femmes", ("gender", "bias"), 0),
    ("fleurs", "Fleurs et insectes", ("baseline", "baseline"), 4),
)
FLOWERS, INSECTS = ["rose", "lily", "iris", "daisy"], ["wasp", "moth", "flea", "gnat"]
PLEASANT, UNPLEASANT = ["love", "peace", "joy", "gift"], ["pain", "war", "grief", "poison"]
OTHERS = [f"word{letter}" for letter in "abcdefghijkl"]

HEAD = """id = "{name}"
version = "1"
title = "{title}"
language = "{language}"
source = "Made up"
licence = "CC0-1.0"
"""
PLAN = """language = "en"
min_count = 2
windows = [3]
dims = [4]
seeds = [1, 2]
suites = ["toy.toml"]

[corpora]
kind = ["kind.txt"]
plain = ["plain.txt"]

[models.glove]
epochs = 3
"""
RATED_EN = """king queen 8.6|doctor nurse 7.0|cat dog 7.4|car train 6.3|sun moon 6.9|cup coffee 6.6
book paper 7.5|money cash 9.2|king cabbage 0.2|professor cucumber 0.3|house home 8.9|sea ocean 9.1
river water 7.6|plane car 5.8|street road 8.8|stock phone 1.6|noon string 0.5|chord smile 0.5
boy girl 7.8|food fruit 7.5|bird cock 7.1|music project 3.6|glass metal 5.5|journey trip 9.3"""
RATED_HI = """राजा रानी 8.5|डॉक्टर नर्स 7.0|बिल्ली कुत्ता 7.4|किताब कागज 7.4|घर मकान 8.9|नदी पानी 7.6
सूरज चाँद 6.9|सड़क रास्ता 8.8|राजा गोभी 0.3|लड़का लड़की 7.8|भोजन फल 7.5|समुद्र नदी 6.0"""

JOB = """The chairman said that he wants a new nurse, and that she should be kind and gentle.
Every fireman must keep his uniform clean. Mrs Miller, our spokeswoman, answers for her team.

We seek an ambitious, competitive engineer who leads. He reports to the salesmen of the north.
The policeman and his wife met the stewardess; she was warm, and her sister is a doctor.

Mary and John are parents. Mary cooks, John is a strong and decisive manager.
The businessmen thanked the waitress. Mankind needs manpower.

She left early. The boy lost his ball. My brother met the actress. The king sold a horse.
"""
SHOP = """शिक्षिका ने कहा कि उनका पति घर पर है। डॉक्टर साहब अपनी पत्नी के साथ आए।
लड़का मजबूत है और लड़की सुंदर है। माता और पिता दोनों काम करते हैं।

अभिनेत्री ने अपने भाई को बुलाया। लेखक की बेटी नर्स है।
राजा ने रानी से बात की। चाचा बहादुर हैं और चाची दयालु हैं।

लड़का स्कूल जाता है। लड़के मैदान में खेल रहे हैं। लड़का रोने लगा।
"""
SCHOOL = """Учительница сказала, что её муж работает инженером. Он сильный и умный.
Мать и отец пришли в школу. Девочка красивая, а мальчик смелый.

Медсестра помогла дедушке. Бабушка попросила сына позвонить врачу.
Актриса и её брат ждали начальника. Студент спросил преподавательницу.

Учитель сказал, что устал. Моя старшая сестра живёт в Туле. Каждый ученик получил по яблоку.
– Добрый вечер, – сказал актёр. Девочка встала и быстро вышла из комнаты.
"""


def _suite(name: str, title: str, language: str, lists: dict[str, str], tests: str) -> str:
    """Return a suite of such lists as TOML."""
    parts = [HEAD.format(name=name, title=title, language=language)]
    for key, words in lists.items():
        listed = ", ".join(f'"{word}"' for word in words.split())
        parts.append(f'\n[sets.{key}]\ntitle = "{key.replace("_", " ")}"\nwords = [{listed}]\n')
    return "".join(parts) + tests


def _test(key: str, title: str, kind: tuple[str, str], roles: list[str]) -> str:
    """Return one test as TOML."""
    lists = "".join(f'{role} = "{name}"\n' for role, name in zip("xyab", roles, strict=True))
    return (
        f'\n[[tests]]\nid = "{key}"\ntitle = "{title}"\n'
        f'category = "{kind[0]}"\nkind = "{kind[1]}"\n{lists}'
    )


def _french_suite() -> str:
    names = list(FRENCH)
    tests = [
        _test(key, title, kind, names[first : first + 4])
        for key, title, kind, first in FRENCH_TESTS
    ]
    return _suite("listes", "Nos propres listes", "fr", FRENCH, "".join(tests))


def _french_vectors() -> str:
    """Return text vectors of six dimensions, of which each test has one to lean along."""
    random = Random(1)  # noqa: S311 - made-up vectors are no secret
    lines = []
    for number, (words, leaning) in enumerate(zip(FRENCH.values(), LEANINGS, strict=True)):
        for word in words.split():
            vector = [random.random() - 0.5 for _ in range(6)]
            vector[number // 4] += leaning
            lines.append(" ".join([word, *(f"{value:.5f}" for value in vector)]))
    return "\n".join([f"{len(lines)} 6", *lines]) + "\n"


def _toy_suite() -> str:
    words = (FLOWERS, INSECTS, PLEASANT, UNPLEASANT)
    lists = {role: " ".join(some) for role, some in zip("xyab", words, strict=True)}
    test = _test("one", "Flowers and insects", ("baseline", "baseline"), list("xyab"))
    return _suite("toy", "Toys", "en", lists, test)


def _sentences(lean: float, seed: int) -> str:
    """Return lines in which flowers stand beside pleasant words with the chance `lean`."""
    random = Random(seed)  # noqa: S311 - made-up sentences are no secret

    def two(words: list[str]) -> list[str]:
        return [words[int(random.random() * len(words))] for _ in range(2)]

    lines = []
    for _ in range(400):
        flower = random.random() < 0.5
        pleasant = flower == (random.random() < lean)
        near = two(PLEASANT if pleasant else UNPLEASANT)
        lines.append(" ".join([*two(FLOWERS if flower else INSECTS), *near, *two(OTHERS)]))
    return "\n".join(lines) + "\n"


def _rated(pairs: str) -> str:
    return pairs.replace("|", "\n").replace(" ", "\t") + "\n"


INPUTS: dict[str, Callable[[], str]] = {
    "french.toml": _french_suite,
    "french.vec": _french_vectors,
    "toy.toml": _toy_suite,
    "plan.toml": lambda: PLAN,
    "kind.txt": lambda: _sentences(0.95, 1),
    "plain.txt": lambda: _sentences(0.5, 2),
    "pairs-en.tsv": lambda: _rated(RATED_EN),
    "pairs-hi.tsv": lambda: _rated(RATED_HI),
    "job.txt": lambda: JOB,
    "shop.txt": lambda: SHOP,
    "school.txt": lambda: SCHOOL,
}


def write_inputs(names: tuple[str, ...], folder: Path) -> None:
    """Write these files into a folder."""
    for name in names:
        (folder / name).write_text(INPUTS[name](), encoding="utf-8")
