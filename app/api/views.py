"""Head -> what its viewers see, as the schemas spell it. Nothing here changes or refuses."""

from __future__ import annotations

from typing import Literal, cast

from app.api.schemas.game import (
    DieView,
    GamePlay,
    OfferView,
    ResultView,
    SealingView,
    SeatView,
    SelectionView,
    SummaryView,
)
from app.api.schemas.match import MatchStamp, MatchStatus
from app.api.schemas.rule_set import RuleSet
from app.api.schemas.settings import CheatsView, DiceView, SettingsView
from app.api.schemas.words import Status
from app.clock import rfc3339
from app.ports import BotName, Head, Summary
from app.service.matches import seat_of
from app.service.members import is_member
from engine.rules import Rules
from engine.rules_text import rules_to_data
from engine.seating import opening_seats
from engine.state import (
    Cheats,
    DiceSource,
    Finished,
    Game,
    Lobby,
    Offer,
    Playing,
    Result,
    Sealing,
    SeatState,
    Setup,
)
from engine.units import Dice, Face, Millis, Points


def status(of: Game) -> Status:
    if isinstance(of, Playing):
        return "playing"
    if isinstance(of, Sealing):
        return "sealing"
    return "lobby" if isinstance(of, Lobby) else "finished"


def rule_set(rules: Rules) -> RuleSet:
    return cast(RuleSet, rules_to_data(rules))


def settings_view(setup: Setup) -> SettingsView:
    clocks, bots = setup.clocks, setup.bots
    return {
        "dice": _dice_source(setup.dice),
        "clocks": clocks and {"turn_s": clocks.turn_s, "game_s": clocks.game_s},
        "pass_and_play": setup.pass_and_play,
        "bots": {
            "pace_ms": bots.pace_ms,
            "take_absent_seats": bots.take_absent_seats,
            "fill_after_s": bots.fill_after_s,
        },
        "advice": setup.advice,
        "cheats": setup.cheats and _cheats(setup.cheats),
        "start_seat": setup.start_seat,
    }


def _dice_source(dice: DiceSource) -> DiceView:
    if dice.kind == "scripted":
        return {"kind": "scripted", "rolls": [list(roll) for roll in dice.rolls]}
    if dice.kind == "seeded":
        return {"kind": "seeded", "seed": dice.seed}
    return {"kind": "fair"}


def _cheats(cheats: Cheats) -> CheatsView:
    return {
        "loaded": list(cheats.loaded),
        "light": {str(seat): light for seat, light in cheats.light},
        "head_start": {str(seat): points for seat, points in cheats.head_start},
        "skip_next": list(cheats.skip_next),
        "always_score": list(cheats.always_score),
    }


def waiting_view(head: Head, viewer: str | None) -> GamePlay:
    """What may change where nobody plays, yet or any more, as `viewer` (a player id) sees it."""
    at = head.game
    play: GamePlay = {
        "seats": seat_views(head),
        "game_deadline": None,
        "turn": None,
        "take_over": None,
        "final_round": None,
        "legal": None,
        "result": None,
        "rematch": None,
    }
    if isinstance(at, Finished):
        play["result"] = _result(at.result)
        play["rematch"] = at.rematch
        return play
    if head.join_code is not None and is_member(at.setup, viewer):
        play["join_code"] = head.join_code
    if isinstance(at, Sealing):
        play["sealing"] = _sealing(at)
    return play


def moment(at: Millis | None) -> str | None:
    return None if at is None else rfc3339(at)


def seat_states(of: Game) -> tuple[SeatState, ...]:
    """The seats as they play; in the lobby as they will begin."""
    if isinstance(of, Sealing):
        return tuple(
            seat._replace(active=False) if number in of.resigned else seat
            for number, seat in enumerate(opening_seats(of.setup))
        )
    return opening_seats(of.setup) if isinstance(of, Lobby) else of.seats


def _sealing(of: Sealing) -> SealingView:
    return {"epoch": of.epoch, "reveal_by": moment(of.reveal_by), "waiting": of.missing}


def seat_views(head: Head) -> list[SeatView]:
    setup = head.game.setup
    wild = setup.rules.wild_rolls
    return [
        {
            "seat": seat,
            "kind": place.kind,
            "name": head.names[seat],
            "player_id": place.player_id,
            "bot": place.kind == "bot" or isinstance(head.names[seat], BotName),
            "character": place.character,
            "score": state.score,
            "on_board": state.on_board,
            "wild_rolls": state.wild_rolls if wild else None,
            "purse": state.purse if wild and wild.purse else None,
            "active": state.active,
            "stand_in": state.stand_in,
        }
        for seat, (place, state) in enumerate(
            zip(setup.places, seat_states(head.game), strict=True)
        )
    ]


def die_view(
    die: int, state: Literal["locked", "rolled"], face: int, selected: bool, spicy: bool, wild: bool
) -> DieView:
    """
    Args:
        face: 0: not known yet.
    """
    return {
        "die": die,
        "state": state,
        "face": face or None,
        "selected": selected,
        "spicy": spicy,
        "wild": wild,
    }


def free_die(die: int) -> DieView:
    """One that is not on the table."""
    return {
        "die": die,
        "state": "free",
        "face": None,
        "selected": False,
        "spicy": False,
        "wild": False,
    }


def offer_view(offer: Offer, rules: Rules) -> OfferView:
    left = (rules.all_dice & ~offer.held).bit_count()
    return {"seat": offer.seat, "score": offer.score, "dice": left or rules.dice}


def selection_view(dice: Dice, points: Points, wild_face: Face) -> SelectionView:
    """
    Args:
        wild_face: 0: the selection holds no Jester.
    """
    if wild_face:
        return {"dice": dice, "points": points, "wild_face": wild_face}
    return {"dice": dice, "points": points}


def _result(result: Result) -> ResultView:
    return {
        "reason": result.reason,
        "winners": result.winners,
        "standings": [{"seat": seat, "score": score} for seat, score in result.standings],
    }


def match_view(head: Head, viewer: str | None) -> MatchStamp:
    """Where `viewer` (a player id) stands with others it waits for."""
    game_id = head.game.setup.game_id
    seat = None if viewer is None else seat_of(head, viewer)
    waits: MatchStatus = "waiting" if isinstance(head.game, Lobby) else "matched"
    return {
        "id": game_id,
        "status": "cancelled" if seat is None else waits,
        "game_id": game_id,
        "seat": seat,
    }


def summary(row: Summary) -> SummaryView:
    """A game as a row of a list."""
    head = row.head
    at, setup = head.game, head.game.setup
    return {
        "id": setup.game_id,
        "version": head.version,
        "status": status(at),
        "preset": setup.preset,
        "rules_name": setup.rules.name,
        "target": setup.rules.target,
        "host": setup.host,
        "visibility": setup.visibility,
        "cheats": setup.cheats is not None,
        "pass_and_play": setup.pass_and_play,
        "seats": [
            {
                "seat": seat["seat"],
                "kind": seat["kind"],
                "name": seat["name"],
                "player_id": seat["player_id"],
                "bot": seat["bot"],
                "character": seat["character"],
                "score": seat["score"],
                "active": seat["active"],
            }
            for seat in seat_views(head)
        ],
        "seat_to_move": at.turn.seat if isinstance(at, Playing) else None,
        "winners": at.result.winners if isinstance(at, Finished) else None,
        "created_at": rfc3339(head.created_at),
        "updated_at": rfc3339(row.updated_at),
    }
