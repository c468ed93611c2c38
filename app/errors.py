"""
What the application refuses, beside the rules' own `engine.errors`.

    AppError
      the caller's fault       Unauthenticated 401, GameNotFound 404, VersionConflict 412, …
      ours, for a while        StoreUnavailable 503, Overloaded 503

`app.api.problems` gives each its status; codes are stable.
"""

from __future__ import annotations

from typing import ClassVar


class AppError(Exception):
    """Carries facts, not prose; the sentence is built from them."""

    code: ClassVar[str] = "app_error"
    says: ClassVar[str] = "The server refuses this."
    words: ClassVar[frozenset[str]] = frozenset()
    """Facts that are words; elsewhere the same ones may be numbers."""
    beside: ClassVar[tuple[str, ...]] = ()
    """Facts that the sentence does not say."""

    def __init__(self, **facts: int | str | list[str] | None) -> None:
        self.facts = facts
        super().__init__(self.says.format(**facts))


class Unauthenticated(AppError):
    """The same for every reason, so that guessing learns nothing."""

    code = "unauthenticated"
    says = "This needs a valid token: Authorization: Bearer <token>."


class TokenExpired(AppError):
    """Told to whoever brings the token: it was good once."""

    code = "token_expired"
    says = (
        "This token has expired, unused for long or of full age. Use a newer one; without one, "
        "make a new guest: POST /v1/players."
    )


class ScopeMissing(AppError):
    """Fact: `needed`, the scope."""

    code = "scope_missing"
    says = "This token does not open this: the scope {needed} is needed."
    words = frozenset({"needed"})


class TokenNotFound(AppError):
    code = "token_not_found"
    says = "You have no such token."


class TooManyTokens(AppError):
    """Fact: `limit`."""

    code = "too_many_tokens"
    says = "You have as many tokens for scripts as you may ({limit}): revoke one first."


class GameNotFound(AppError):
    code = "game_not_found"
    says = "There is no such game, or it is private and you are not a member."


class GameArchived(AppError):
    code = "game_archived"
    says = "The log of this game is in an archive. Its state and its result are still here."


class MatchNotFound(AppError):
    code = "match_not_found"
    says = "You have not waited for such a match."


class PlayerNotFound(AppError):
    code = "player_not_found"
    says = "There is no such player."


class PresetNotFound(AppError):
    """Fact: `presets`, those there are."""

    code = "preset_not_found"
    says = "There is no such preset."
    beside = ("presets",)


class VersionNotFound(AppError):
    """Fact: `current_version`."""

    code = "version_not_found"
    says = "The game has versions 1 to {current_version}."


class NotSeated(AppError):
    code = "not_seated"
    says = "You hold no seat at this table."


class NotHost(AppError):
    code = "not_host"
    says = "Only the host may do this."


class SeatNeeded(AppError):
    """You hold several seats: say which."""

    code = "seat_needed"
    says = "You hold several seats: name one."


class NotYourSeat(AppError):
    """Fact: `seat`."""

    code = "not_your_seat"
    says = "You do not hold seat {seat}."


class VersionConflict(AppError):
    """Fact: `current_version`."""

    code = "version_conflict"
    says = "The game is at version {current_version} by now."


class KeyReused(AppError):
    code = "idempotency_key_reused"
    says = "This Idempotency-Key was used with another request."


class ReferenceReused(AppError):
    code = "reference_reused"
    says = "This payment reference was used for another player or another purchase."


class CodeNotFound(AppError):
    """The same for wrong, expired and missing codes, so that guessing learns nothing."""

    code = "join_code_wrong"
    says = "This join code opens no table."


class NotAvailable(AppError):
    """Fact: `feature`."""

    code = "not_available"
    says = "Not available on this server: {feature}."


class TooManyBotTables(AppError):
    """Fact: `limit`."""

    code = "too_many_bot_tables"
    says = "No more than {limit} tables with bots at a time: end one first."


class TooManyStreams(AppError):
    """Facts: `limit` (at a time), `retry_after_s`."""

    code = "too_many_streams"
    says = "Too many open streams (the limit is {limit}). Try again in {retry_after_s} s."


class TooManyAnalyses(AppError):
    """Facts: `limit` (at a time), `retry_after_s`."""

    code = "too_many_analyses"
    says = "No more than {limit} analyses at a time. Try again in {retry_after_s} s."


class SeriesNotFound(AppError):
    code = "series_not_found"
    says = "There is no such series."


class SeriesFull(AppError):
    code = "series_full"
    says = "Nobody is missing in this series."


class SeriesOver(AppError):
    code = "series_over"
    says = "The series is over."


class AlreadyTakesPart(AppError):
    code = "already_takes_part"
    says = "You take part in this series already."


class NotTakingPart(AppError):
    code = "not_taking_part"
    says = "You do not take part in this series."


class NotOwner(AppError):
    code = "not_owner"
    says = "Only who made the series may do this."


class TooManySeries(AppError):
    """Fact: `limit` (at a time)."""

    code = "too_many_series"
    says = "You have {limit} series that are not over; end one first."


class AnalysisNotFound(AppError):
    """Facts: none; an analysis is kept for a while by the process that made it."""

    code = "analysis_not_found"
    says = "No such analysis is kept here (any more): ask for it again, it gets the same id."


class TooLarge(AppError):
    """Facts: `needed`, `limit`."""

    code = "too_large"
    says = "The odds of these rules are too much work ({needed}; the limit is {limit})."


class AnalysisFailed(AppError):
    code = "analysis_failed"
    says = "The analysis broke off; it has been logged. Ask for it again."


class AdviceNotReady(AppError):
    """Fact: `retry_after_s`."""

    code = "advice_not_ready"
    says = "What these rules are worth is still being worked out. Ask again in {retry_after_s} s."


class StoreUnavailable(AppError):
    code = "store_unavailable"
    says = "The database cannot be reached; nothing was changed. Try again."


class Overloaded(AppError):
    code = "overloaded"
    says = "Too much at once; nothing was changed. Try again."
