"""Hostile files, records, arguments and requests against everything that fairvec reads.

python -m fuzz [--minutes 10] [--seed N] [--target NAME] [--again FILE]

Importing this package sets how many threads linear algebra may take: workers are forked from a
process that has computed already, and threads do not survive a fork.
"""

import os

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
os.environ |= {"TOKENIZERS_PARALLELISM": "false", "TQDM_DISABLE": "1", "HF_HUB_OFFLINE": "1"}
