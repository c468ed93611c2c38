"""What the contract says of every call: keys, versions, races, cut lines, restarts, reading."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from tests.model import checks
from tests.model.machine import Machine, hows, in_lobby, in_play, one_of, people, picks
from tests.model.machine_play import Play
from tests.model.pf1 import server_commit
from tests.model.server import Asked
from tests.model.strolls import chosen
from tests.model.world import How

Json = dict[str, Any]


def any_kept(machine: Machine) -> bool:
    return bool(machine.w.kept)


class Http(Play):
    @rule(pick=picks)
    @precondition(any_kept)
    def once_more_with_the_same_key(self, pick: int) -> None:
        """The first answer, to the byte, whatever has become of the game; and nothing happens."""
        kept = one_of(self.w.kept[-6:], pick)
        self.w.server.now_ms += 5_000
        again = self.w.server.ask(kept.asked)
        self.same(again, kept.answer)

    def same(self, again: Any, first: Any) -> None:
        checks.equal((again.status, again.body), (first.status, first.body), "the repeated answer")
        for name in ("etag", "location", "content-type"):
            checks.equal(again.headers.get(name), first.headers.get(name), f"its header {name}")

    @rule(pick=picks, other=st.sampled_from(("body", "route")))
    @precondition(any_kept)
    def the_same_key_for_something_else(self, pick: int, other: str) -> None:
        kept = one_of(self.w.kept[-6:], pick).asked
        asked = Asked(kept.by, "POST", f"/v1/games/{self.table.id}/roll", None, kept.headers)
        if other == "body" and kept.path.endswith("/roll"):
            asked = asked._replace(path=kept.path, body={"select": {"dice": [0, 1, 2]}})
        if asked[1:4] != kept[1:4]:
            checks.refused(self.w.server.ask(asked), 422, "idempotency_key_reused", {})

    @rule(pick=picks, behind=st.integers(-2, 8), how=hows)
    def with_a_version(self, pick: int, behind: int, how: How) -> None:
        """Stale, right, and from the future."""
        verb, body = self.some_call(pick)
        version = max(0, self.table.version - behind)
        how = How(how.keyed, version, how.minimal)
        self.w.act(self.w.mover(), verb, body, how)

    @rule(pick=picks, how=hows)
    def with_the_right_version(self, pick: int, how: How) -> None:
        verb, body = self.some_call(pick)
        self.w.act(self.w.mover(), verb, body, How(how.keyed, self.table.version, how.minimal))

    def some_call(self, pick: int) -> tuple[str, Json | None]:
        """A turn command, legal if there is one; in the lobby a change of settings."""
        if in_lobby(self):
            return "settings", {"visibility": one_of(("public", "private", "unlisted"), pick)}
        if not in_play(self):
            return "roll", None
        verb = one_of(self.legal["commands"] or ["bank"], pick)
        return verb, chosen(self.legal, pick // 7) if verb == "select" else None

    @rule(pick=picks, racers=st.integers(2, 5), by_version=st.booleans())
    @precondition(in_play)
    def race(self, pick: int, racers: int, by_version: bool) -> None:
        """Many on one version, or many with one key: one effect."""
        verb, body = self.some_call(pick)
        by = self.w.mover()
        if self.w.foretold(by, verb, body) is not None:
            return
        how = How(keyed=not by_version, if_match=self.table.version if by_version else None)
        asked = self.w.request(by, verb, body, how)
        answers = self.w.server.at_once([asked] * racers)
        won = [answer for answer in answers if answer.status == 200]
        self.w.accepted(asked, verb, body, how, won[0])
        if by_version:
            checks.equal(len(won), 1, "the number of winners")
            for answer in answers:
                if answer is not won[0]:
                    self.w.refused(answer, "version_conflict")
        else:
            for answer in answers:
                self.same(answer, won[0])

    @rule(pick=picks, ticks=st.integers(0, 40), reload=st.booleans())
    @precondition(in_play)
    def a_line_is_cut(self, pick: int, ticks: int, reload: bool) -> None:
        """The client asks again with its key, perhaps after a restart: one effect all the same."""
        verb, body = self.some_call(pick)
        by, how = self.w.mover(), How(keyed=True)
        if self.w.foretold(by, verb, body) is not None:
            return
        asked = self.w.request(by, verb, body, how)
        self.w.server.cut_off(asked, ticks, reload)
        self.w.accepted(asked, verb, body, how, self.w.server.ask(asked))

    @rule()
    def crash_and_reload(self) -> None:
        self.w.server.reload()

    @rule(by=people, after=st.integers(0, 60), limit=st.integers(1, 200))
    def read_a_page(self, by: int, after: int, limit: int) -> None:
        """Events above a version: gap-free, and no more than asked for."""
        path = f"/v1/games/{self.table.id}/events?after={after}&limit={limit}"
        answer = self.w.server.ask(Asked(self.person(by), "GET", path))
        if not self.table.may_read(self.person(by).id):
            checks.refused(answer, 404, "game_not_found", {})
            return
        if after > self.table.version:
            facts = {"current_version": self.table.version}
            checks.refused(answer, 404, "version_not_found", facts)
            return
        due = self.w.logs[self.table.id][after : after + limit]
        more = after + limit < self.table.version
        page = {"items": due, "next": due[-1]["version"] if more else None}
        checks.equal(answer.json, page, "the page of events")

    @rule(pick=picks, by=people)
    def look_back(self, pick: int, by: int) -> None:
        """The state at an earlier version is what was seen then; beyond the head there is none."""
        table = one_of(self.w.tables, pick)
        versions = [v for game_id, v in self.w.seen if game_id == table.id] or [table.version]
        version = one_of(versions, pick // 5)
        path = f"/v1/games/{table.id}/states"
        asked = Asked(self.person(by), "GET", f"{path}/{version}")
        answer = self.w.server.ask(asked)
        if not table.may_read(self.person(by).id):
            checks.refused(answer, 404, "game_not_found", {})
            return
        then = self.w.seen.get((table.id, version))
        if then is not None:
            found = checks.timeless(answer.json)
            checks.equal(_nameless(found), _nameless(then), f"the state of version {version}")
        beyond = self.w.server.ask(asked._replace(path=f"{path}/{table.version + 1}"))
        checks.refused(beyond, 404, "version_not_found", {"current_version": table.version})

    @rule(by=people, behind=st.integers(0, 1))
    def what_is_known_is_not_sent(self, by: int, behind: int) -> None:
        """If-None-Match."""
        if not self.table.may_read(self.person(by).id):
            return
        known = {"If-None-Match": f'"{self.table.version - behind}"'}
        path = f"/v1/games/{self.table.id}"
        answer = self.w.server.ask(Asked(self.person(by), "GET", path, None, known))
        checks.equal(answer.status, 200 if behind else 304, "the status of a known version")

    @rule()
    def fairness(self) -> None:
        """Commitments always, secrets only when all is over."""
        path = f"/v1/games/{self.table.id}/fairness"
        told = checks.read(self.w, self.w.host, path)
        log = self.w.logs[self.table.id]
        commits = [c for event in log for c in event.get("server_commits", [])]
        commits += [event["server_commit"] for event in log if "server_commit" in event]
        checks.equal([a["server_commit"] for a in told["attempts"]], commits, "the commitments")
        checks.equal(told["revealed"], self.table.status == "finished", "whether it is revealed")
        for attempt in told["attempts"]:
            seed = attempt["seed"]
            if (seed is not None) != told["revealed"]:
                raise checks.Differs("a secret is told before the end, or not at the end")
            if seed is not None:
                commit = server_commit(self.table.id, attempt["epoch"], bytes.fromhex(seed))
                checks.equal(commit, attempt["server_commit"], "the secret's commitment")

    @rule(by=people, status=st.sampled_from(("lobby", "playing", "finished")))
    def lists(self, by: int, status: str) -> None:
        """Public tables for all; one's own for oneself, private ones too."""
        path = f"/v1/games?status={status}&limit=200"
        found = checks.read(self.w, None, path)
        due = [t.id for t in reversed(self.w.tables) if t.listed and t.status == status]
        checks.equal([game["id"] for game in found["items"]], due, "the public tables")
        person = self.person(by)
        mine = checks.read(self.w, person, "/v1/players/me/games?to_move=true")
        due = [t.id for t in reversed(self.w.tables) if t.to_move in t.seats_of(person.id)]
        checks.equal([game["id"] for game in mine["items"]], due, "where one is to move")

    @rule(by=people)
    def the_rematch_is_known(self, by: int) -> None:
        """Who asks after the first is led to the same game."""
        old = next((t for t in self.w.tables if t.rematch), None)
        if old is None:
            return
        new = next(t for t in self.w.tables if t.id == old.rematch)
        person = self.person(by)
        asked = Asked(person, "POST", f"/v1/games/{old.id}/rematch")
        answer = self.w.server.ask(asked)
        if not old.seats_of(person.id):
            code = "not_seated" if old.may_read(person.id) else "game_not_found"
            checks.refused(answer, 404 if code == "game_not_found" else 403, code, {})
        elif not new.may_read(person.id):
            checks.refused(answer, 404, "game_not_found", {})
        else:
            checks.equal(answer.status, 200, "the status of a known rematch")
            checks.game(answer.json, new.view(person.id))


def _nameless(game: Json) -> Json:
    """The log has no names; the code is for members."""
    game.pop("join_code", None)
    return {**game, "seats": [{**seat, "name": None} for seat in game["seats"]]}
