"""
Several processes of the server in one, under virtual time, decided by one number.

Real: the service, the engine, the hub, the channels, what renders. Simulated: the database (its
answers late, lost, or cut off after the commit), the bus between the processes (it drops, doubles,
delays and forges), the clients, and death: a process dies at a fault point, and another one starts.

    loop      virtual time; tasks know which process they belong to
    chance    one source of chance for each thing that has any
    disk      the database that outlives every process, and a process' way to it
    store     games on it; rows, series, purses: what is kept beside them
    bus       hints on their way
    process   one process: built of the real parts, killed without a farewell
    world     all of these, and who dies when
    people    who plays, and who follows
    tables    people who know each other, bots, rematches
    strangers contests payments   match-making, series, purses
    judge     what must hold in the end; judge_beside: of strangers, series and purses
    run       one seed from beginning to end; ended: what it leaves
"""
