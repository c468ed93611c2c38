"""What the AsyncAPI document says of the streams, in words."""

from __future__ import annotations

WHOLE = """
Following and commanding over WebSockets. Every message is a JSON text with a `type`, or a
`command`; pass over types and fields that you do not know: there may be more of them one day.

Whose stream it is travels as `Authorization: Bearer`, as a second subprotocol `bearer.<token>`, as
a ticket in the query, or in a first message `auth`. Public and unlisted games, and the lobby, need
none. Refusals are told after the handshake, by an `error` message and the close code:
`x-close-codes` lists them all, with what to do.
""".strip()

GAME = """
The game as it is (`state`), or with `?after=N` everything after version N (`resumed`), then one
`played` for each command, in order: the first event of each follows the last one of the frame
before. A player commands over the same stream: each command is acknowledged with `answered` or
`refused`, by its `id`, in the order in which they came. After a broken line connect with `after`,
and send what was not acknowledged again, with the same `idempotency_key`.
""".strip()

PLAYER = """
The player's games that wait or run (`games`), then what becomes of them. States, not events: after
a reconnect the list is whole again. Needs a token.
""".strip()

LOBBY = """
The public tables that wait for players (`tables`), then what becomes of them. Needs no token.
""".strip()

EVENTS = """
The frames of a game for clients that have HTTP and nothing else: `GET` with
`Accept: text/event-stream`. `event` is the type, `id` the version, `data` the message;
`Last-Event-ID` or `?after=` resumes. Heartbeats are comments.
""".strip()
