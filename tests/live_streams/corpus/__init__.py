"""
What clients may send over a WebSocket, and how the server answers: data, played by `test_corpus`.

`messages` are JSON and what looks like it, `frames` what lies below, `queries` the addresses and
`handshakes` what comes first.
"""
