"""
Requests that a server must survive, as bytes.

Placeholders in a request's head are filled in when it is sent: `@TOKEN@` (a player with a seat),
`@OTHER@` (a player without one), `@GAME@` (a running game), `@LOBBY@` (a table that waits).
"""
