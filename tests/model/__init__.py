"""
The server as a whole against a plain model of it, over HTTP, on both databases.

`model.py`, `play.py` and `pf1.py` say what must be; they share no code with what they judge.
"""
