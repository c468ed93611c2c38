"""
A phone that plays over one WebSocket, and loses its line: phone.py http://HOST:PORT [SECONDS]

Every third command is sent and the line cut before its answer. The phone comes back with `?after=`
and sends the command again, with the same key: it acts once, and the numbers at the end show that.
SECONDS is how long it thinks before each command.
"""

import contextlib
import itertools
import json
import socket
import sys
import time
import urllib.request
import uuid
from typing import Any

from websockets import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

FINAL = {1008, 4401, 4403, 4404, 4409}  # coming back would change nothing


def call(url: str, body: object, token: str | None = None) -> Any:
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    asked = urllib.request.Request(url, json.dumps(body).encode(), headers)  # noqa: S310
    with urllib.request.urlopen(asked) as answer:  # noqa: S310
        return json.load(answer)


class Phone:
    def __init__(self, stream: str, token: str) -> None:
        self.stream, self.headers = stream, {"Authorization": f"Bearer {token}"}
        self.lines = contextlib.ExitStack()
        self.line: ClientConnection | None = None
        self.game: dict[str, Any] = {}
        self.seen: list[int] = []  # versions of events
        self.played = self.commands = self.again = 0
        self.ids = itertools.count(1)

    def online(self) -> ClientConnection:
        """The line, or a new one that begins behind what was seen."""
        while self.line is None:
            after = "" if not self.game else f"?after={self.game['version']}"
            self.lines.close()
            try:
                line = connect(self.stream + after, additional_headers=self.headers)
                self.line = self.lines.enter_context(line)
            except (OSError, WebSocketException):
                time.sleep(0.3)
        return self.line

    def hear(self) -> dict[str, Any]:
        """The next message; the game goes along."""
        message: dict[str, Any] = json.loads(self.online().recv())
        if message["type"] in ("state", "played"):
            self.game = message["game"]
            self.seen += [event["version"] for event in message.get("events", ())]
            self.played += message["type"] == "played"
        return message

    def command(self, name: str, *, cut: bool = False, **fields: Any) -> dict[str, Any]:
        """Until it is answered, whatever becomes of the line: always under the same key."""
        number, key = next(self.ids), str(uuid.uuid4())
        message = {"id": number, "command": name, "idempotency_key": key, **fields}
        attempt = -1
        while True:
            attempt += 1
            try:
                line = self.online()
                line.send(json.dumps(message))
                if cut and attempt == 0:
                    line.socket.shutdown(socket.SHUT_RDWR)
                while (answer := self.hear()).get("id") != number:
                    pass
                while answer["type"] == "answered" and self.game["version"] < answer["version"]:
                    self.hear()
            except (OSError, ConnectionClosed) as broken:
                code = getattr(getattr(broken, "rcvd", None), "code", None)
                if code in FINAL:
                    raise
                self.line = None
            else:
                if answer["type"] == "refused" and answer["status"] in (429, 503):
                    time.sleep(1)  # not now; it was not carried out
                    continue
                self.commands += 1
                self.again += attempt > 0
                return answer


server, pace = sys.argv[1].rstrip("/").removesuffix("/v1"), float((sys.argv[2:] or ["0"])[0])
token = call(f"{server}/v1/players", {"name": "Ana"})["token"]
rules = {"preset": "farkle", "options": {"target": 5000, "opening": 0}}
made = call(f"{server}/v1/games", {"rules": rules, "pass_and_play": True}, token)
print("game", made["id"], flush=True)
address = f"{server}/v1/games/{made['id']}/stream".replace("http", "ws", 1)
phone = Phone(address, token)
phone.command("start")
while (game := phone.game)["status"] != "finished":
    time.sleep(pace)
    cut = phone.commands % 3 == 0
    if game["turn"]["phase"] == "to_roll":
        told = phone.command("roll", cut=cut)
    else:
        best = max(game["legal"]["selections"], key=lambda choice: choice["points"])
        verb = "bank" if game["turn"]["score"] + best["points"] >= 500 else "roll"
        told = phone.command(verb, cut=cut, select={"dice": best["dice"]})
    if told["type"] == "refused":
        sys.exit(f"refused: {told['problem']}")
begun = made["version"] + 1
exact = phone.seen == list(range(begun, begun + len(phone.seen)))
phone.lines.close()
print(f"{phone.commands} commands, {phone.again} of them sent again, {phone.played} acted")
print("every event once, in order" if exact else "events are missing, or came twice")
