"""Run every benchmark, one after the other."""

import subprocess
import sys

for name in (
    "permutation",
    "readers",
    "native",
    "mapped",
    "debiasing",
    "frechet",
    "pgd",
    "neighbours",
    "analogies",
    "encoders",
    "training",
    "explore",
):
    print(f"\n== {name}", flush=True)
    subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], check=True)
