"""
Other game servers, each with the same minimal game of two, beside Hotdice over its streams.

    section    the rows
    installed  node, npm and the pinned packages
    running    the servers of the peers, and the process that plays on them
    duels      the same on Hotdice: two players, each over a stream of its own

    pig.js, *_server.js, *_match.js, load.js   what node runs

They run only where node and npm are at hand.
"""
