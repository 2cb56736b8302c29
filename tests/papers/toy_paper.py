"""How the small papers of the tests begin."""

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
