"""The freeze: what users see of many runs, kept, and held against what they see now.

python -m scripts.golden_runs [--only NAME...] [--exact] [--list] compares (`make golden`).
python -m scripts.golden_runs --renew [NAME...] keeps what is seen now, and says what that moves.

Every run of `table.py` is a few command lines, asked of the package that Python finds (the
installed one, or that of PYTHONPATH) in processes of their own, each run in an empty folder under a
fixed environment (`running.py`). No module of fairvec is imported here, so that none may move and
take the freeze along; the explorer is asked over HTTP. What a run shows and writes is kept below
`reference/`: as text where it is short, packed by xz where it is long. Of models and transforms the
header, a digest and some hundred numbers of each array are kept (`arrays.py`).

What may differ from machine to machine and day to day is taken out before anything is kept or
compared (`normal.py`): versions of fairvec and of libraries, seconds and speeds, paths, ports and
tokens. Nothing else is.

What is left is compared character by character but for numbers (`comparing.py`). Another processor
or another build of numpy may round the last digit otherwise, so two numbers that differ by less
than 1e-9 of their size, or 1e-12, are the same; a number that is shown rounded is by that rule
compared as it is shown. Of a run whose vectors are computed (trained, debiased, encoded) in single
precision it is 1e-3 of their size, or 1e-6, a figure that is shown rounded may differ by one in
its last decimal, and whole digests (SHA-256) may differ. How many numbers differ in their last
digits alone is said, and `--exact` calls each of them moved: on one machine nothing moves under it.
Where a rounded figure of another run stands at an edge another machine may still show another last
digit: renew the reference there, on the commit to compare with.

A run that needs data that is not shipped (FAIRVEC_DATA, or shared/data beside the checkout) or a
package that is not installed is skipped, and that is said.
"""
