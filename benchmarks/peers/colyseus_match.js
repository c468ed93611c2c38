/*
 * A match on Colyseus: a room and its two clients, by its own SDK. A move is acknowledged when a patch
 * with it has reached who made it.
 */

import { Client } from "@colyseus/sdk";

import { chosen } from "./pig.js";

/** Returns when the state is there; it may come before anybody could wait for it. */
const known = (room) =>
  room.state?.moves === undefined && new Promise((is) => room.onStateChange.once(() => is()));

export class Match {
  static async open(port) {
    const match = new Match();
    const client = new Client(`ws://127.0.0.1:${port}`);
    const first = await client.create("pig");
    match.rooms = [first, await client.joinById(first.roomId)];
    match.told = null;
    match.mover = 0;
    match.moves = 0;
    await Promise.all(match.rooms.map(known));
    match.rooms.forEach((room, seat) => room.onStateChange((state) => match.heard(seat, state)));
    return match;
  }

  heard(seat, state) {
    // The one whose turn it has become may still be told of moves that the other has seen.
    if (seat !== this.mover || state.moves <= this.moves || this.told === null) return;
    if (state.moves !== this.moves + 1) throw new Error(`${state.moves} after ${this.moves}`);
    this.moves = state.moves;
    this.mover = state.mover;
    this.turn = state.turn;
    const { told } = this;
    this.told = null;
    told();
  }

  /** Makes the next move, and calls back once it is acknowledged. */
  move(told) {
    this.told = told;
    this.rooms[this.mover].send(chosen(this.turn ?? 0));
  }

  async close() {
    await Promise.all(this.rooms.map((room) => room.leave()));
  }
}
