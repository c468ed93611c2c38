"""Tables opened anew: created from a client's wishes, or carrying on a finished game."""

from __future__ import annotations

from app.errors import GameNotFound, VersionConflict
from app.features import Features, require
from app.players import FORGOTTEN
from app.ports import Answer, Decision, Head, Order, SittersGone
from app.rulebook import Chosen, Rulebook
from app.service.calls import Call, RulesAsked, TableAsked
from app.service.codes import new_code
from app.service.deciding import Answering, Seeds, answering, decided
from app.service.desk import Desk
from app.service.members import names_after, readable, seated
from engine.bots import CHARACTERS
from engine.commands import AnnounceRematch, Create
from engine.decide import transition
from engine.dice import server_commit
from engine.errors import NotFinished
from engine.seating import first_seat
from engine.state import Bots, Clocks, DiceSource, Finished, Place, Setup
from engine.units import Millis, Seat


def location(game_id: str) -> str:
    """Where a game is found."""
    return f"/v1/games/{game_id}"


class Opening:
    def __init__(
        self,
        desk: Desk,
        rulebook: Rulebook,
        features: Features,
    ) -> None:
        self._desk = desk
        self._rulebook = rulebook
        self._features = features

    async def create(self, call: Call, asked: TableAsked) -> Answer:
        """
        A new table; its creator is the host and holds the first human seat, or all of them.

        Raises: MalformedRules, MalformedSettings, NotAvailable, TooManyBotTables.
        """
        chosen = self.chosen(asked.rules)
        places = chosen.places if asked.places is None else asked.places
        self.check(
            places=places,
            dice=asked.dice,
            clocks=asked.clocks,
            bots=asked.bots,
            advice=asked.advice,
        )
        setup = Setup(
            game_id=self._desk.new_id(),
            rules=chosen.rules,
            preset=chosen.preset,
            places=_with_host(places, call.player.id, asked.pass_and_play),
            host=call.player.id,
            visibility=asked.visibility,
            dice=asked.dice,
            clocks=asked.clocks,
            pass_and_play=asked.pass_and_play,
            bots=asked.bots,
            advice=self._features["advice"] if asked.advice is None else asked.advice,
            cheats=asked.cheats,
            start_seat=0,
            server_commits=(),
        )
        at = self._desk.now()
        at_home = location(setup.game_id)
        order = self.order(call, setup, at, answering(call, at, 201, at_home))
        return (await self._desk.run(order)).answer

    def chosen(self, asked: RulesAsked) -> Chosen:
        """The rule set asked for, checked. Raises: MalformedRules."""
        if asked.preset is not None:
            return self._rulebook.preset(asked.preset, asked.options or {}, "/rules")
        return self._rulebook.custom(asked.custom, "/rules/custom")

    def check(
        self,
        *,
        places: tuple[Place, ...] = (),
        dice: DiceSource | None = None,
        clocks: Clocks | None = None,
        bots: Bots | None = None,
        advice: bool | None = None,
    ) -> None:
        """Raises: NotAvailable, for what this server does not offer."""
        if any(place.kind == "bot" for place in places) or (bots or Bots()) != Bots():
            require(self._features, "bots")
        if any(place.character not in (None, *CHARACTERS) for place in places):
            require(self._features, "characters")
        if clocks is not None:
            require(self._features, "clocks")
        if dice is not None and dice.kind != "fair":
            require(self._features, "scripted_dice")
        if advice:
            require(self._features, "advice")

    def order(
        self,
        call: Call,
        setup: Setup,
        at: Millis,
        answer: Answering,
        *,
        names: tuple[str | None, ...] | None = None,
        rematch_of: str | None = None,
        has_code: bool = True,
    ) -> Order:
        """An order that opens this table, with secrets drawn for its dice."""
        game_id = setup.game_id
        seeds = (self._desk.seed(), self._desk.seed())
        commits = tuple(server_commit(game_id, e, seed).hex() for e, seed in enumerate(seeds))
        whole = setup._replace(server_commits=commits)
        # At pass-and-play one player holds every seat: there is none to join.
        has_code = has_code and not setup.pass_and_play
        join_code = new_code(self._desk.random_bytes) if has_code else None

        def decide(head: Head | None, _: Seeds) -> Decision:
            step = transition(None, Create(at, whole, rematch_of))
            return Decision(
                step.events,
                step.game,
                answer,
                names=names or _names_of(call, step.game.setup.places),
                join_code=join_code,
                seeds=seeds,
            )

        return Order(
            game_id,
            decide,
            author=call.player.id,
            key=call.key,
            fingerprint=call.fingerprint,
            opens=True,
        )

    async def rematch(self, call: Call, game_id: str) -> Answer:
        """
        The game that carries on: the same rules, settings and seats, the next seat to begin.

        Whoever asks first becomes its host; the others are answered with the same game. Seats of
        players who are forgotten or banned are free.
        Raises: NotFinished, TooManyBotTables.
        """
        gone: frozenset[str] = frozenset()
        while True:
            head, _ = seated(await self._desk.store.head(game_id), call.player.id)
            if not isinstance(head.game, Finished):
                raise NotFinished
            if head.game.rematch is not None:
                return await self._known_rematch(call, head, head.game.rematch)
            try:
                return await self._new_rematch(call, head, gone)
            except SittersGone as found:
                gone |= found.players
            except _Raced:
                continue

    async def _known_rematch(self, call: Call, old: Head, game_id: str) -> Answer:
        new = readable(await self._desk.store.head(game_id), call.player.id)
        at = self._desk.now()
        body = call.render(new, (), at, call.player.id)
        answer = Answer(200, body, new.version, location(game_id))

        def decide(head: Head | None, _: Seeds) -> Decision:
            return Decision((), (head or old).game, lambda *_: answer)

        return await self._desk.change(call, old.game.setup.game_id, decide)

    async def _new_rematch(self, call: Call, old: Head, gone: frozenset[str]) -> Answer:
        at = self._desk.now()
        setup = _carried_on(old, call.player.id, self._desk.new_id(), gone)
        names = names_after(old, setup.places, call.player)
        old_id = old.game.setup.game_id
        new = self.order(
            call, setup, at, lambda *_: Answer(201, b""), names=names, rematch_of=old_id
        )
        opened = new.decide(None, ())
        head = Head(opened.game, len(opened.events), b"", names, opened.join_code, at)
        body = call.render(head, (), at, call.player.id)
        answer = Answer(201, body, head.version, location(setup.game_id))

        def decide(found: Head | None, seeds: Seeds) -> Decision:
            if found is None:
                raise GameNotFound
            if isinstance(found.game, Finished) and found.game.rematch is not None:
                raise _Raced(current_version=found.version)
            told = AnnounceRematch(at, setup.game_id)
            step = decided(found, seeds, (told,), lambda *_: answer)
            return step._replace(also=new)

        return await self._desk.change(call, old_id, decide)


class _Raced(VersionConflict):
    """Another player asked for the rematch in the meantime."""


def _with_host(places: tuple[Place, ...], host: str, all_seats: bool) -> tuple[Place, ...]:
    """The host on the first human seat, or on all of them."""
    human = [seat for seat, place in enumerate(places) if place.kind == "human"]
    taken = human if all_seats else human[:1]
    return tuple(
        place._replace(player_id=host) if seat in taken else place
        for seat, place in enumerate(places)
    )


def _names_of(call: Call, places: tuple[Place, ...]) -> tuple[str | None, ...]:
    return tuple(call.player.seated_name if place.player_id else None for place in places)


def _carried_on(old: Head, host: str, game_id: str, gone: frozenset[str]) -> Setup:
    """The table of a rematch; players who are gone leave their seats empty."""
    setup = old.game.setup
    places = tuple(
        place._replace(player_id=None) if name == FORGOTTEN or place.player_id in gone else place
        for place, name in zip(setup.places, old.names, strict=True)
    )
    return setup._replace(
        game_id=game_id,
        places=places,
        host=host,
        bots=setup.bots._replace(fill_after_s=None),
        start_seat=_next_open(setup, first_seat(setup)),
        server_commits=(),
    )


def _next_open(setup: Setup, after: Seat) -> Seat:
    count = len(setup.places)
    order = ((after + step) % count for step in range(1, count + 1))
    return next(seat for seat in order if setup.places[seat].kind != "closed")
