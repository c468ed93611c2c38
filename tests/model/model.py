"""A table as its users may expect to see it, plainly. What the dice do is the referee's."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.model.pf1 import Roll
from tests.model.play import shown
from tests.referee import rulebook
from tests.referee.cheats import snapped_head_start
from tests.referee.game import Game
from tests.referee.rulebook import RuleSet

Json = dict[str, Any]
FAIR: Json = {"kind": "fair"}


class Person(NamedTuple):
    id: str
    name: str
    token: str


@dataclass
class Chair:
    kind: str
    player: str | None = None
    name: str | None = None


@dataclass
class Table:
    """One game, from the opening of its table on."""

    id: str
    join_code: str
    host: str
    rules: RuleSet
    preset: str | None
    chairs: list[Chair]
    visibility: str = "unlisted"
    dice: Json = field(default_factory=lambda: FAIR)
    cheats: Json | None = None
    pass_and_play: bool = False
    start_seat: int = 0
    version: int = 0
    game: Game | None = None
    closed: bool = False
    """In the lobby: the game never began."""
    script: list[list[int]] = field(default_factory=list)
    rolls: list[Roll] = field(default_factory=list)
    rematch: str | None = None
    shown: tuple[int, Json] | None = None

    @property
    def status(self) -> str:
        if self.closed:
            return "finished"
        return self.game.status if self.game else "lobby"

    @property
    def to_move(self) -> int | None:
        return self.game.turn.seat if self.game and self.game.turn else None

    @property
    def open_seats(self) -> list[int]:
        return [seat for seat, chair in enumerate(self.chairs) if chair.kind != "closed"]

    @property
    def first_seat(self) -> int:
        """Who begins: the first open seat from the start seat on."""
        open_seats = self.open_seats
        return next((s for s in open_seats if s >= self.start_seat), open_seats[0])

    def seats_of(self, player: str | None) -> list[int]:
        return [s for s, chair in enumerate(self.chairs) if player and chair.player == player]

    def is_member(self, player: str | None) -> bool:
        return player is not None and (player == self.host or bool(self.seats_of(player)))

    def may_read(self, player: str | None) -> bool:
        return self.visibility != "private" or self.is_member(player)

    @property
    def listed(self) -> bool:
        return self.visibility == "public" and self.dice["kind"] == "fair"

    def head_starts(self) -> dict[int, int]:
        starts = self.cheats["head_start"] if self.cheats else {}
        return {int(seat): points for seat, points in starts.items()}

    def view(self, viewer: str | None) -> Json:
        """What GET answers, but for the times in it."""
        seen: Json = {
            "id": self.id,
            "version": self.version,
            "status": self.status,
            "rules": whole(self.rules),
            "preset": self.preset,
            "host": self.host,
            "visibility": self.visibility,
            "cheats": self.cheats is not None,
            "settings": self._settings(),
            "game_deadline": None,
            "rematch": self.rematch,
        }
        if self.game is None:
            play = self._before_play()
        else:
            if self.shown is None or self.shown[0] != self.version:
                self.shown = self.version, shown(self.game)
            play = dict(self.shown[1])
        play["seats"] = [
            {
                **seat,
                "kind": chair.kind,
                "player_id": chair.player,
                "name": chair.name,
                "character": None,
                "bot": False,
                "stand_in": None,
            }
            for seat, chair in zip(play["seats"], self.chairs, strict=True)
        ]
        if self.status == "lobby" and self.is_member(viewer) and not self.pass_and_play:
            seen["join_code"] = self.join_code
        return play | seen

    def _settings(self) -> Json:
        return {
            "dice": self.dice,
            "clocks": None,
            "pass_and_play": self.pass_and_play,
            "bots": {"pace_ms": 0, "take_absent_seats": False, "fill_after_s": None},
            "advice": True,
            "cheats": self.cheats,
            "start_seat": self.start_seat,
        }

    def _before_play(self) -> Json:
        wild, starts = self.rules["wild_rolls"], self.head_starts()
        seats = [
            {
                "seat": seat,
                "score": starts.get(seat, 0) if chair.kind != "closed" else 0,
                "on_board": False,
                "wild_rolls": (wild["allotment"] if chair.kind != "closed" else 0)
                if wild
                else None,
                "purse": 0 if wild and wild["purse"] else None,
                "active": chair.kind != "closed",
            }
            for seat, chair in enumerate(self.chairs)
        ]
        empty = dict.fromkeys(("turn", "take_over", "final_round", "legal", "result"))
        if self.closed:
            rows = [(starts.get(seat, 0), seat) for seat in self.open_seats]
            rows.sort(key=lambda row: (-row[0], row[1]))
            standings = [{"seat": seat, "score": score} for score, seat in rows]
            result = {"reason": "ended_early", "winners": [], "standings": standings}
            return {**empty, "seats": seats, "result": result}
        return {**empty, "seats": seats}


def opened(asked: Json, host: Person, game_id: str, join_code: str) -> Table:
    """The table that a body asks for."""
    rules, preset = rules_of(asked["rules"])
    chairs = [Chair(seat["kind"]) for seat in asked.get("seats") or [{"kind": "human"}] * 2]
    all_seats = asked.get("pass_and_play", False)
    human = [chair for chair in chairs if chair.kind == "human"]
    for chair in human if all_seats else human[:1]:
        chair.player, chair.name = host.id, host.name
    return Table(
        game_id,
        join_code,
        host.id,
        rules,
        preset,
        chairs,
        visibility=asked.get("visibility", "unlisted"),
        dice=asked.get("dice") or FAIR,
        cheats=cheats_asked(asked.get("cheats"), rules),
        pass_and_play=all_seats,
    )


def rules_of(asked: Json) -> tuple[RuleSet, str | None]:
    """The rule set, and the preset it comes from."""
    if "custom" in asked:
        return asked["custom"], None
    preset: str = asked["preset"]
    return getattr(rulebook, preset)(**asked.get("options", {})), preset


def cheats_asked(asked: Json | None, rules: RuleSet) -> Json | None:
    """Cheats as the table shows them: everything written out, head starts snapped."""
    if asked is None:
        return None
    starts = {s: snapped_head_start(rules, n) for s, n in asked.get("head_start", {}).items()}
    return {
        "loaded": sorted(asked.get("loaded", [])),
        "light": dict(asked.get("light", {})),
        "head_start": starts,
        "skip_next": sorted(asked.get("skip_next", [])),
        "always_score": sorted(asked.get("always_score", [])),
    }


def whole(rules: RuleSet) -> RuleSet:
    """Every field written out, as docs/rule-sets.md gives its default."""
    combinations = []
    for combination in rules["combinations"]:
        extra: Json = {"protected": False, "flat": False}
        if combination["kind"] == "pairs":
            extra["four_and_two"] = False
        elif combination["kind"] == "full_house":
            extra["pairs"] = {}
        combinations.append({**extra, **combination})
    return {**rules, "combinations": combinations}
