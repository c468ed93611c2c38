/*
 * A match on boardgame.io: opened and joined through its lobby, played over two sockets of its own,
 * which speak just the part of socket.io that is needed. A move is acknowledged when who made it is
 * sent the state after it.
 */

import WebSocket from "ws";

import { chosen } from "./pig.js";

const NAMESPACE = "/pig,";
const EVENT = `42${NAMESPACE}`;

async function asked(port, path, body) {
  const answer = await fetch(`http://127.0.0.1:${port}/games/pig/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

class Seat {
  constructor(match, number, credentials) {
    this.match = match;
    this.number = String(number);
    this.credentials = credentials;
    this.acknowledged = null;
  }

  /** Returns when it has been sent the state for the first time. */
  connect(port) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}/socket.io/?EIO=4&transport=websocket`, {
      perMessageDeflate: false,
    });
    return new Promise((resolve, reject) => {
      this.socket.on("error", reject);
      this.socket.on("message", (data) => this.heard(data.toString(), resolve));
    });
  }

  heard(text, synced) {
    if (text[0] === "0") this.socket.send(`40${NAMESPACE}`);
    else if (text === "2") this.socket.send("3");
    else if (text.startsWith(`40${NAMESPACE}`)) {
      this.send("sync", this.match.id, this.number, this.credentials, 2);
    } else if (text.startsWith(EVENT)) {
      // Who does not wait for its own move passes over it: the next state holds everything.
      if (this.acknowledged === null && text.startsWith(`${EVENT}["update"`)) return;
      const [type, , body] = JSON.parse(text.slice(EVENT.length));
      if (type === "sync") {
        this.match.state = body.state;
        synced();
      } else if (type === "update") {
        if (body._stateID <= this.match.state._stateID) return; // the other's move, which came late
        this.match.state = body;
        const told = this.acknowledged;
        this.acknowledged = null;
        told();
      } else if (type === "error") throw new Error(text);
    }
  }

  send(...event) {
    this.socket.send(EVENT + JSON.stringify(event));
  }

  make(type, told) {
    this.acknowledged = told;
    const { credentials, match, number } = this;
    const action = { type: "MAKE_MOVE", payload: { type, args: [], playerID: number, credentials } };
    this.send("update", action, match.state._stateID, match.id, number);
  }
}

export class Match {
  static async open(port) {
    const match = new Match();
    match.id = (await asked(port, "create", { numPlayers: 2 })).matchID;
    match.seats = [];
    for (const number of [0, 1]) {
      const body = { playerID: String(number), playerName: `P${number}` };
      const { playerCredentials } = await asked(port, `${match.id}/join`, body);
      const seat = new Seat(match, number, playerCredentials);
      match.seats.push(seat);
      await seat.connect(port);
    }
    return match;
  }

  /** Makes the next move, and calls back once it is acknowledged. */
  move(told) {
    const { G, ctx } = this.state;
    this.seats[Number(ctx.currentPlayer)].make(chosen(G.turn), told);
  }

  async close() {
    for (const { socket } of this.seats) socket.close();
  }
}
