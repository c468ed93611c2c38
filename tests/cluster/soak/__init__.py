"""Many sockets that are cut anywhere, while processes and buses die: does each see the log?"""
