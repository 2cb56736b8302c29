"""The runs: what is asked, of which files written before, and which files of it are kept."""

from dataclasses import dataclass

SHIPPED = (
    "glove-en-small",
    "glove-en-twin-small",
    "poincare-glove-en-small",
    "glove-hi-small",
    "navec-ru-small",
)
GATE = "p_holm < 0.05 and abs(effect) > 0.5"
TRAIN = (
    "train kind.txt plain.txt --language en --dim 6 --epochs 4 --window 3 --min-count 2 --seed 3"
    " --engine cpu"
)
TRAINED = ("glove", "poincare-glove")
ENDINGS = ("fairvec", "txt", "bin", "npz", "csv", "w2v")


@dataclass(frozen=True)
class Run:
    """Command lines that share a folder, and what of it is kept.

    `kept` names files that they write, `inputs` files of `inputs.py` that lie there before. With
    `data` there is a folder `data`, that of FAIRVEC_DATA. `computed` says that vectors are computed
    in single precision, so that another processor finds others. `walk` names what is not a list of
    commands: all pages of help, or the questions of the explorer.
    """

    name: str
    commands: tuple[str, ...] = ()
    kept: str = ""
    inputs: tuple[str, ...] = ()
    data: bool = False
    packages: tuple[str, ...] = ()
    computed: bool = False
    walk: str = ""


def _audits() -> tuple[Run, ...]:
    """A whole audit of each shipped model, with its gate as JUnit XML."""
    return tuple(
        Run(
            f"audit-{model}",
            (f"audit {model} -o run", f'check run --fail-if "{GATE}" --junit gate.xml'),
            kept="run/results.jsonl run/report.html gate.xml",
        )
        for model in SHIPPED
    )


def _forms(name: str, asked: str) -> Run:
    """One short audit in each form that the shell can print."""
    forms = ("", " --json", " --csv", " --latex")
    return Run(name, tuple(f"audit {asked}{form}" for form in forms))


# Those that take longest come first, so that two at a time end together.
RUNS = (
    Run(
        "reproduce-with-data",
        # The shipped models, not the larger ones of the folder, which would play unasked.
        (
            "reproduce kumar2020 -o run --stand-in e-glove=glove-en-twin-small"
            " --stand-in p-glove=poincare-glove-en-small",
        ),
        kept="run/reproduction.md run/reproduction.csv run/reproduction.jsonl run/results.jsonl",
        data=True,
        computed=True,
    ),
    Run(
        "seat-encoder",
        (
            "audit data/enc_bert_hi -s malik2022 -o run",
            f'check run --fail-if "{GATE}" --junit gate.xml',
            "audit data/enc_bert_hi -s malik2022/maths-arts --csv",
            "audit data/enc_bert_hi -s malik2022/maths-arts --latex",
            "audit data/enc_bert_hi -s malik2022/maths-arts --json",
        ),
        kept="run/results.jsonl run/report.html gate.xml",
        data=True,
        packages=("torch", "transformers"),
        computed=True,
    ),
    Run(
        "debias-encoder-leace",
        (
            "debias data/enc_bert_hi --method leace --concept hi/gender -s malik2022/maths-arts"
            " --benchmark pairs-hi.tsv -o out",
            f'check out --fail-if "{GATE}" --junit gate.xml',
        ),
        kept="out/results.jsonl out/report.html out/fairvec-encoder.json "
        "out/transform.safetensors gate.xml",
        inputs=("pairs-hi.tsv",),
        data=True,
        packages=("torch", "transformers"),
        computed=True,
    ),
    Run(
        "reproduce",
        ("reproduce kumar2020 -o run", "reproduce kumar2020 --json"),
        kept="run/reproduction.md run/reproduction.csv run/reproduction.jsonl run/results.jsonl",
        computed=True,
    ),
    Run("help", walk="help"),
    Run("explorer", walk="explorer", packages=("starlette", "uvicorn"), computed=True),
    *_audits(),
    Run(
        "task-sentiment",
        (
            "task sentiment --data iitp-movie-reviews --model glove-hi-small --network means"
            " --seeds 2 --folds 3 --method hard --concept hi/gender -o run",
            f'check run --fail-if "{GATE}" --junit gate.xml',
        ),
        kept="run/results.jsonl run/report.html gate.xml",
        data=True,
        computed=True,
    ),
    Run(
        "frontier",
        (
            "frontier glove-en-small --concept en/gender:apart --method hard --method leace"
            " --strengths 0.5,1 -s chaloner2019 --benchmark pairs-en.tsv -o run",
        ),
        kept="run/frontier.jsonl run/report.html",
        inputs=("pairs-en.tsv",),
        computed=True,
    ),
    Run(
        "debias-hard",
        (
            "debias glove-en-small --method hard --concept en/gender -s chaloner2019/b1"
            " -s kumar2020/b1 --benchmark pairs-en.tsv -o hard.fairvec",
            f'check hard.fairvec.run --fail-if "{GATE}" --junit gate.xml',
        ),
        # Not the page: it draws the plane of an SVM, whose labels other processors place otherwise.
        kept="hard.fairvec hard.fairvec.run/results.jsonl "
        "hard.fairvec.run/transform.safetensors gate.xml",
        inputs=("pairs-en.tsv",),
        computed=True,
    ),
    Run(
        "debias-ball-pgd",
        (
            "debias poincare-glove-en-small --method pgd --concept en/gender -s kumar2020"
            " --benchmark pairs-en.tsv -o pgd.fairvec",
            f'check pgd.fairvec.run --fail-if "{GATE}" --junit gate.xml',
        ),
        kept="pgd.fairvec pgd.fairvec.run/results.jsonl pgd.fairvec.run/report.html "
        "pgd.fairvec.run/transform.safetensors gate.xml",
        inputs=("pairs-en.tsv",),
        computed=True,
    ),
    Run(
        "compare",
        (
            "audit glove-en-small -s kumar2020 -o before",
            "audit glove-en-twin-small -s kumar2020 -o after",
            "compare before after",
            "compare before after --json",
            "compare before after --markdown",
            "compare before after --fail-if \"change == 'not-shown'\" --junit gate.xml",
            "report before -o again.html",
        ),
        kept="before/report.html after/report.html again.html gate.xml",
    ),
    Run(
        "compare-across-geometries",
        (
            "audit glove-en-twin-small -s chaloner2019 -o flat",
            "audit poincare-glove-en-small -s chaloner2019 -o ball",
            "compare flat ball",
            "compare flat ball --across-geometries ranks",
            "compare flat ball --across-geometries standardised --json",
        ),
    ),
    _forms("forms-flat", "glove-en-small glove-en-twin-small --robust -s kumar2020"),
    _forms("forms-ball", "poincare-glove-en-small -s kumar2020"),
    _forms("forms-hindi", "glove-hi-small -s malik2022-names"),
    _forms("forms-russian", "navec-ru-small -s pestova/e2"),
    _forms(
        "forms-other-metrics",
        "glove-en-small -m ripa -m direct-bias -m rnd -m mac -m ect -s kumar2020/b1",
    ),
    Run(
        "audit-french",
        (
            "suites lint french.toml --model french.vec",
            "audit french.vec --language fr -s french.toml -o run",
            "audit french.vec --language fr -s french.toml --json",
            "audit french.vec --language fr -s french.toml --csv",
            "audit french.vec --language fr -s french.toml --latex",
            f'check run --fail-if "{GATE}" --markdown --junit gate.xml',
        ),
        kept="run/results.jsonl run/report.html gate.xml",
        inputs=("french.vec", "french.toml"),
    ),
    Run(
        "documents",
        (
            "document job.txt shop.txt school.txt -o run",
            "document job.txt --language en --model glove-en-small",
            "document job.txt --apply job-neutral.txt",
            "document job.txt --aim swap --swap-names --apply job-swapped.txt",
            "document shop.txt --aim swap --apply shop-swapped.txt",
            "document school.txt --aim swap --apply school-swapped.txt",
            "check run --fail-if \"measure == 'mentions' and value < 0.4\" --junit gate.xml",
        ),
        kept="run/document.jsonl run/report.html gate.xml job-neutral.txt job-swapped.txt "
        "shop-swapped.txt school-swapped.txt",
        inputs=("job.txt", "shop.txt", "school.txt"),
        packages=("pymorphy3",),
    ),
    Run(
        "study",
        ("study plan.toml -o run", "study plan.toml -o run", "study new mine.toml --language ru"),
        kept="run/study.jsonl run/report.html mine.toml",
        inputs=("plan.toml", "toy.toml", "kind.txt", "plain.txt"),
        computed=True,
    ),
    Run(
        "train",
        (
            *(f"{TRAIN} --model {model} -o {model}.fairvec" for model in TRAINED),
            "audit glove.fairvec poincare-glove.fairvec -s toy.toml -o run",
        ),
        kept="glove.fairvec poincare-glove.fairvec run/results.jsonl",
        inputs=("toy.toml", "kind.txt", "plain.txt"),
        computed=True,
    ),
    Run(
        "convert",
        (
            *(f"convert french.vec copy.{ending}" for ending in ENDINGS),
            "convert copy.fairvec again.vec",
            "convert copy.bin other.tsv",
        ),
        kept="copy.fairvec copy.txt copy.bin copy.npz copy.csv copy.w2v again.vec other.tsv",
        inputs=("french.vec",),
    ),
    Run(
        "questions",
        (
            "neighbours glove-en-small nurse physicist --count 5",
            "neighbours poincare-glove-en-small nurse --count 5",
            "analogy glove-en-small man king woman",
            "analogy poincare-glove-en-small man king woman",
            "biased-analogies glove-en-small",
            "suites needs caliskan2017/weat-7 --model glove-en-small --longest 20 --draws 40",
        ),
    ),
    Run(
        "lists",
        (
            "suites list",
            "suites show kumar2020",
            "suites lint",
            "suites new mine.toml",
            "concepts list",
            "concepts show hi/gender",
            "concepts lint",
            "models list",
            "benchmarks list",
            "plugins list",
        ),
        kept="mine.toml",
    ),
    Run(
        "refusals",
        (
            "audit",
            "audit no-such-model",
            "audit glove-en-small -s no-such-suite",
            "audit glove-en-small -m waet",
            "audit glove-hi-small --geometry poincare",
            "debias glove-en-small --concept en/gendre -o x.fairvec",
            "frontier glove-en-small --concept en/gender --strengths 2 -o run",
            "check nowhere --fail-if 'p < 0.05'",
            "compare nowhere elsewhere",
            "reproduce kumar2021",
            "no-such-command",
        ),
    ),
)
