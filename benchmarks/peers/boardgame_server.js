/*
 * boardgame.io as its guide sets it up: `node boardgame_server.js PORT memory` or `… PORT files FOLDER`.
 */

import { createRequire } from "node:module";

import { fresh, held, rolled } from "./pig.js";

const require = createRequire(import.meta.url);
const { FlatFile, Origins, Server } = require("boardgame.io/server");

const pig = {
  name: "pig",
  setup: fresh,
  minPlayers: 2,
  maxPlayers: 2,
  moves: {
    roll: ({ G, events, random }) => {
      if (rolled(G, random.D6())) events.endTurn();
    },
    hold: ({ G, ctx, events }) => {
      held(G, Number(ctx.currentPlayer));
      events.endTurn();
    },
  },
};

const [port, store, dir] = process.argv.slice(2);
const kept = store === "files" ? { db: new FlatFile({ dir }) } : {};
const server = Server({ games: [pig], origins: [Origins.LOCALHOST], ...kept });
await server.run({ port: Number(port) });
