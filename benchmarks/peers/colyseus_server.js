/*
 * Colyseus with its WebSocket transport: `node colyseus_server.js PORT default` sends patches every 50 ms,
 * as it comes; `… PORT at-once` after each move.
 */

import { Room, Server } from "@colyseus/core";
import { ArraySchema, defineTypes, Schema } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";

import { fresh, held, rolled } from "./pig.js";

const [port, patches] = process.argv.slice(2);
const atOnce = patches === "at-once";

class State extends Schema {
  constructor() {
    super();
    Object.assign(this, fresh());
    this.scores = new ArraySchema(0, 0);
    this.mover = 0;
    this.moves = 0;
  }
}
defineTypes(State, {
  scores: ["number"],
  turn: "number",
  die: "number",
  mover: "number",
  moves: "number",
});

class Pig extends Room {
  maxClients = 2;

  onCreate() {
    this.setState(new State());
    this.setPatchRate(atOnce ? null : 50);
    this.onMessage("roll", (client) => {
      this.moved(client, () => rolled(this.state, 1 + Math.floor(Math.random() * 6)));
    });
    this.onMessage("hold", (client) => {
      this.moved(client, (seat) => {
        held(this.state, seat);
        return true;
      });
    });
  }

  moved(client, move) {
    const seat = this.clients.indexOf(client);
    if (seat !== this.state.mover) return;
    if (move(seat)) this.state.mover = 1 - seat;
    this.state.moves += 1;
    if (atOnce) this.broadcastPatch();
  }
}

const server = new Server({ greet: false, transport: new WebSocketTransport() });
server.define("pig", Pig);
await server.listen(Number(port), "127.0.0.1");
