"""
Many games between strategies, in this process's own children, on all cores. See docs/arena.md.

    contest.py      who plays whom by which rules: what decides every game
    seats.py        what may sit at a table: characters, `random`, functions of other people
    outside.py      functions of other people: found, asked, held to the rules and to time
    seen.py         what such a function sees: the JSON of the API
    game.py         one game, and what is kept of it
    workers.py      games spread over processes
    tally.py        what games add up to, with intervals
    report.py       tables, JSON, CSV; plots.py: distributions as text
    matches.py      the match table: every pairing on every preset
    command.py      `hotdice arena`
"""
