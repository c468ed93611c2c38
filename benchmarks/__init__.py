"""
What Hotdice costs on this machine: `make bench`, or `python -m benchmarks`.

    __main__   what is asked for: sections, pace, where the figures go
    sections   which sections there are, and how long each takes
    bench      what sections share: pace, servers that are started once
    aims       what is to be reached, beside what a run has found
    servers    processes to measure: Hotdice, the ceilings, Postgres, each with its CPU clock
    ceilings   bare and naive FastAPI applications, run as processes of their own
    client     the load client: raw HTTP/1.1 over asyncio, every answer checked
    spoken     the same over streams
    players    what connections ask for: games played by what the answers offer
    measure    rounds of many rows in turn, medians, ratios, intervals
    engine     section: the rules alone, in this process; decisions: how long a bot thinks
    process    section: start, memory at rest, memory of a live game
    rest       section: commands over HTTP and streams beside the ceilings
    sockets    section: ways to command over a stream
    peers      section: other game servers, with a small game of two
    growth     section: the cost of a command late in a game
    stored     section: the cost of a command by how many games are stored
    resume     section: coming back to a game
    cluster    section: two processes against one
    fanout     section: one game and its listeners, beside a server that only broadcasts
    slow       section: what healthy listeners feel of slow ones
    bots       section: what people feel of bots
    arrivals   requests that come open-loop; scraped: what the server says of itself
    audience   listeners as sections use them; listeners, dawdlers: processes of their own
    broadcast  the server that only broadcasts, a process of its own
    tables     games grown to a length, straight into a server's database
    copies     a database full of games, copied in SQL
    autoplay   games by a fixed policy, without a server
    report     tables on the terminal, figures as JSON, the machine; pages: tables in Markdown

README.md says how to read the figures.
"""
