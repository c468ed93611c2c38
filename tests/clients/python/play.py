"""
A stranger's program: plays a whole game by the client that openapi-python-client generated, and
follows its stream. It knows the documents alone; nothing of the server's code is imported.

    python play.py ADDRESS PRESET

Two guests play each other, where the preset seats a bot one guest plays that. Every answer and
every frame is read by the generated models. Prints one line of JSON: what was seen.
"""

from __future__ import annotations

import json
import sys
import threading
import uuid
from typing import Any

from hotdice_client import AuthenticatedClient, Client
from hotdice_client.api.commands import bank, roll, select
from hotdice_client.api.games import create_game, join_game, list_events, show_game, start_game
from hotdice_client.api.players import create_player
from hotdice_client.models import (
    CreateGame,
    EventPage,
    GameView,
    JoinGame,
    MaySelect,
    NewGuest,
    NewPlayer,
    NotYourTurnProblem,
    Played,
    Preset,
    PresetRules,
    SelectDice,
    StartGame,
)
from hotdice_client.types import UNSET
from websockets.sync.client import connect

ENOUGH = 300
"""Points of a turn that are banked."""
PATIENCE_S = 30


class Follower(threading.Thread):
    """Follows a game: proves by the versions that no event is missing, keeps the newest game."""

    def __init__(self, address: str, game_id: str) -> None:
        super().__init__(daemon=True)
        self._url = address.replace("http", "ws", 1) + f"/v1/games/{game_id}/stream"
        self._news = threading.Condition()
        self.game: Any = None
        self.types: list[str] = []
        self.frames = 0

    def run(self) -> None:
        with connect(self._url, subprotocols=["hotdice.v1"]) as socket:  # type: ignore[list-item]
            version = 0
            while self.game is None or self.game.status != "finished":
                frame = json.loads(socket.recv(timeout=PATIENCE_S))
                if frame["type"] == "state":
                    version = frame["version"]
                elif frame["type"] == "played":
                    played = Played.from_dict({"game": frame["game"], "events": frame["events"]})
                    for told, event in zip(frame["events"], played.events, strict=True):
                        version += 1
                        assert event.version == version, "an event is missing"
                        assert event.type_ == told["type"], "read as an event of another type"
                        self.types.append(str(event.type_))
                    self.frames += 1
                else:
                    continue
                with self._news:
                    self.game = GameView.from_dict(frame["game"])
                    self._news.notify_all()

    def after(self, version: int) -> Any:
        """The newest game, once it is newer than this version."""
        with self._news:
            seen = self._news.wait_for(
                lambda: self.game is not None and self.game.version > version, PATIENCE_S
            )
            assert seen, f"nothing was told after version {version}"
            return self.game


def expect(kind: type, answer: Any) -> Any:
    """The answer, if it is of this generated type."""
    assert isinstance(answer.parsed, kind), f"{answer.status_code}: {answer.content[:500]!r}"
    return answer.parsed


def new_guest(address: str, name: str) -> AuthenticatedClient:
    with Client(base_url=address) as anybody:
        guest = expect(NewGuest, create_player.sync_detailed(client=anybody, body=NewPlayer(name)))
    return AuthenticatedClient(base_url=address, token=guest.token)


def best_of(selections: list[Any]) -> Any:
    best = max(selections, key=lambda selection: selection.points)
    return SelectDice(dice=best.dice, wild_face=best.wild_face or UNSET)


def next_command(game: Any) -> tuple[Any, Any]:
    """The command that a cautious player gives now, and its body."""
    legal, turn = game.legal, game.turn
    if turn.phase == "to_select" and not any(die.selected for die in turn.dice):
        return select, best_of(legal.selections)
    wins = legal.bank is not None and legal.bank.total == game.rules.target
    if "bank" in legal.commands and (turn.score >= ENOUGH or wins):
        return bank, MaySelect()
    return roll, MaySelect()


def play(address: str, preset: str) -> dict[str, Any]:
    ana, bo = new_guest(address, "Ana"), new_guest(address, "Bo")
    table = CreateGame(rules=PresetRules(preset=Preset(preset)))
    game = expect(GameView, create_game.sync_detailed(client=ana, body=table))
    follower = Follower(address, game.id)
    follower.start()
    players = {0: ana}
    if any(seat.player_id is None and seat.kind == "human" for seat in game.seats):
        code = JoinGame(join_code=game.join_code)
        game = expect(GameView, join_game.sync_detailed(game.id, client=bo, body=code))
        players[1] = bo
    game = expect(Played, start_game.sync_detailed(game.id, client=ana, body=StartGame())).game
    refused = 0
    while game.status != "finished":
        if game.legal is None or game.legal.seat not in players:
            game = follower.after(game.version)
            continue
        mover = game.legal.seat
        if not refused and 1 - mover in players:
            answer = roll.sync_detailed(game.id, client=players[1 - mover], body=MaySelect())
            assert expect(NotYourTurnProblem, answer).code == "not_your_turn"
            refused += 1
        command, body = next_command(game)
        answer = command.sync_detailed(
            game.id,
            client=players[mover],
            body=body,
            idempotency_key=str(uuid.uuid4()),
            if_match=f'"{game.version}"',
        )
        game = expect(Played, answer).game
    follower.join(PATIENCE_S)
    assert not follower.is_alive(), "the stream did not tell of the end"
    assert follower.game.to_dict() | {"now": 0} == shown(ana, game.id).to_dict() | {"now": 0}
    logged = list(all_events(ana, game.id))
    return {
        "game_id": str(game.id),
        "version": game.version,
        "reason": str(game.result.reason),
        "winners": game.result.winners,
        "frames": follower.frames,
        "types": follower.types,
        "logged": [str(event.type_) for event in logged],
    }


def shown(client: Any, game_id: str) -> Any:
    """The game as a stranger sees it: without the join code that a frame does not hold."""
    game = expect(GameView, show_game.sync_detailed(game_id, client=client))
    game.join_code = UNSET
    return game


def all_events(client: Any, game_id: str) -> Any:
    after: int | None = 0
    while after is not None:
        page = expect(EventPage, list_events.sync_detailed(game_id, client=client, after=after))
        yield from page.items
        after = page.next_


if __name__ == "__main__":
    sys.stdout.write(json.dumps(play(sys.argv[1], sys.argv[2])) + "\n")
