"""
What may be done next with an answer: the `links` of the OpenAPI document.

A table of operations: where the answer, or the path that was asked for, holds what another
operation takes. It is what a reader follows, and what a test tool plays along.
"""

from __future__ import annotations

from typing import Any

_PLAY = ("roll", "select", "bank", "take_over", "wild_roll", "resign", "end", "skip_next")
_LOOK = ("show_game", "list_events", "show_fairness", "export_game", "advise")
_LOBBY = ("join_game", "leave_game", "start_game", "change_game", "contribute")
_ALL = (*_LOBBY, *_PLAY, "rematch", *_LOOK)

_BODY = "$response.body#/"
_PATH = "$request.path."

_Taken = dict[str, str]
"""Parameters by name, and the expressions that lead to them."""


def _game(where: str, names: tuple[str, ...]) -> dict[str, _Taken]:
    return {name: {"game_id": where} for name in names}


def _series(where: str) -> dict[str, _Taken]:
    names = ("show_series", "list_series_games", "export_series", "join_series")
    return {name: {"series_id": where} for name in (*names, "leave_series", "cancel_series")}


_MATCH = {
    "show_match": {"match_id": _BODY + "id"},
    "cancel_match": {"match_id": _BODY + "id"},
    **_game(_BODY + "game_id", ("show_game", "roll")),
}
_OF_PLAYED = _game(_PATH + "game_id", (*_PLAY, "rematch", *_LOOK))
_OF_PLAYER = {name: {"player_id": _BODY + "id"} for name in ("show_player", "past_games")}
_OF_STATE: dict[str, dict[str, _Taken]] = {
    name: {
        **_game(_PATH + "game_id", _ALL),
        "show_state": {"game_id": _PATH + "game_id", "version": _BODY + "version"},
    }
    for name in ("show_game", "join_game", "change_game")
}

LINKS: dict[str, dict[str, _Taken]] = {
    "create_player": {
        **_OF_PLAYER,
        "ban_player": {"player_id": _BODY + "id"},
        "unban_player": {"player_id": _BODY + "id"},
        "credit_wild_rolls": {"player_id": _BODY + "id"},
    },
    "show_me": _OF_PLAYER,
    "create_token": {"revoke_token": {"token_id": _BODY + "id"}},
    "analyse_rules": {"show_analysis": {"analysis_id": _BODY + "id"}},
    "show_analysis": {"show_analysis": {"analysis_id": _BODY + "id"}},
    "create_game": {
        **_game(_BODY + "id", (*_ALL, "void_game", "close_table")),
        "show_state": {"game_id": _BODY + "id", "version": _BODY + "version"},
    },
    "join_by_code": _game(_BODY + "id", ("show_game", "leave_game", "list_events", "roll")),
    **_OF_STATE,
    "rematch": _game(_BODY + "id", ("show_game", "start_game", "list_events")),
    "start_game": _OF_PLAYED,
    **dict.fromkeys(_PLAY, _OF_PLAYED),
    "find_match": _MATCH,
    "show_match": _MATCH,
    "create_series": _series(_BODY + "id"),
    "show_series": _series(_BODY + "id"),
    "join_series": _series(_BODY + "id"),
}
"""Operation -> those that its answers lead to."""


def links_of(operation: str) -> dict[str, Any]:
    """As the document has them; empty where an answer leads nowhere."""
    return {
        target: {"operationId": target, "parameters": takes}
        for target, takes in LINKS.get(operation, {}).items()
    }
