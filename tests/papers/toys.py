"""How the small papers of the tests begin, and one whose claims can be broken one by one."""


# --- How the small papers of the tests begin ---

HEAD = """
id = "toy"
title = "Toy"
source = "Toy (2026)"
[convention]
effect_size = "population"
sides = "greater"
ties = ">="
"""

TWO_ROLES = (
    HEAD.replace('">="', '">"')
    + """[roles.one]
title = "One"
[roles.two]
title = "Two"
[[tables]]
id = "table-1"
title = "A table"
metric = "weat"
suite = "kumar2020"
role = "one"
shows = ["d", "p"]
"""
)
"""As far as the columns of the first table."""


# --- A small paper whose claims can be broken one by one ---


TOY = (
    TWO_ROLES
    + """bold_means = "Significant."
[tables.columns]
plain = {}
other = { role = "two" }
[tables.rows]
first = { test = "b1", cells = ["0.1 0.2", "0.3 0.4"], bold = ["plain"] }
second = { test = "b2", cells = ["0.5 0.6", ""] }
[[tables]]
id = "table-2"
title = "A benchmark"
role = "one"
shows = ["rho"]
[tables.columns]
rho = {}
[tables.rows]
MC = { benchmark = "mc30", cells = ["0.7"] }
RG = { benchmark = "rg65", cells = ["0.8"] }
[[tables]]
id = "table-3"
title = "One test, asked six times"
metric = "weat"
suite = "kumar2020"
test = "b1"
shows = ["d"]
[tables.columns]
one = { role = "one" }
two = { role = "two" }
[tables.rows]
a = { cells = ["0.1", "0.2"] }
b = { cells = ["0.1", "0.2"] }
c = { cells = ["0.1", "0.2"] }
d = { cells = ["0.1", "0.2"] }
e = { cells = ["0.1", "0.2"] }
f = { cells = ["0.1", "0.2"] }
"""
)

CLAIM = """
[[claims]]
id = "it-leans"
says = "It leans."
where = "Table 1"
quote = "it leans"
role = "one"
test = { kind = "leans", sign = "+", cells = { table = "table-1", column = "plain" } }
"""
