"""What the walk over a pickle remembers, answers and allows; see scan_kernel."""

(AT, TOP, MARKED, NODES, FILLED, DEBT, SPENT, FORGED, FRAME_END, SIZE, ALLOWED, WANTED) = range(12)
DEPTH, WEIGHT, STEPS, TRIED = 12, 13, 14, 15
STATES = 16
"""Places in the numbers that the walk leaves behind when it stops."""

DONE, GROW, PAUSE = 0, 1, 2
CUT, STRANGE, DEEP, HEAVY, FORGEABLE, COSTLY, LONG, MISSING, FRAMES, ARGUMENTS = range(3, 13)
RUN = 13
"""Why it stops."""

FIRST_NODE = 128
"""Smaller values: 0 is a constant, 1 a number, 2 a huge number, 3 and above a text by length."""
HELD, FORGED_KEY, FORGED_PART = 1, 2, 4
MOST_DEPTH, MOST_WEIGHT, MOST_FORGEABLE, MOST_ARGUMENTS = 1000, 64, 1000, 64
MOST_AHEAD = 1000
"""An honest number in the memo is below the number of bytes so far; gaps cost 16 bytes each."""
LONGEST_NUMBER, LONGEST_DIGITS, LONGEST_FLOAT, LONGEST_PLAIN = 255, 640, 100, 65536
