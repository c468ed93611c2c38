"""
What Hotdice costs on this machine: `make bench`, or `python -m benchmarks`.

    __main__   which sections run, and in what order
    bench      what sections share: pace, servers that are started once
    servers    processes to measure: Hotdice, the ceilings, Postgres, each with its CPU clock
    ceilings   bare and naive FastAPI applications, run as processes of their own
    client     the load client: raw HTTP/1.1 over asyncio, every answer checked
    players    what connections ask for: games played by what the answers offer
    measure    rounds of many rows in turn, medians, ratios
    rest       section: commands over HTTP beside the ceilings
    growth     section: the cost of a command late in a game
    fanout     section: one game and its listeners, beside a server that only broadcasts
    slow       section: what healthy listeners feel of slow ones
    bots       section: what people feel of bots
    arrivals   requests that come open-loop; scraped: what the server says of itself
    audience   listeners as sections use them; listeners, dawdlers: processes of their own
    broadcast  the server that only broadcasts, a process of its own
    tables     games grown to a length, straight into a server's database
    engine     section: the rules alone, in this process
    autoplay   games by a fixed policy, without a server
    report     tables on the terminal, figures as JSON, the machine

README.md says how to read the figures.
"""
