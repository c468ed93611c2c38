/**
 * A stranger's program: plays a whole game by openapi-fetch and the types that openapi-typescript
 * generated, and follows its stream. It knows the documents alone.
 *
 *     node play.ts ADDRESS PRESET
 *
 * Two guests play each other; where the preset seats a bot one guest plays that. Prints one line of
 * JSON: what was seen. Checked by `tsc --strict`: no `any`, and no cast but of what JSON.parse gives.
 */
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.ts";

type Game = components["schemas"]["GameView"];
type Played = components["schemas"]["Played"];
type Selection = components["schemas"]["SelectionView"];

type Frame =
  | { type: "state"; version: number; game: Game; now: string }
  | { type: "played"; version: number; game: Game; events: Played["events"]; now: string }
  | { type: "presence" | "heartbeat" | "resumed" };

const ENOUGH = 300; // points of a turn that are banked
const PATIENCE_MS = 30_000;

const [address, preset] = process.argv.slice(2) as [string, components["schemas"]["Preset"]];

/** Answers are of these types, where neither a stream nor the minimal form is asked for. */
type Answers = "application/json" | "application/problem+json";
const anybody = createClient<paths, Answers>({ baseUrl: address });

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

/** The data of an answer; throws what the server said instead. */
function data<T>(answer: { data?: T; error?: unknown }): NonNullable<T> {
  if (answer.data == null) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

async function newGuest(name: string) {
  const guest = data(await anybody.POST("/v1/players", { body: { name } }));
  return createClient<paths, Answers>({
    baseUrl: address,
    headers: { Authorization: `Bearer ${guest.token}` },
  });
}

/** Follows a game: proves by the versions that no event is missing, keeps the newest game. */
class Follower {
  frames = 0;
  types: string[] = [];
  game: Game | null = null;
  readonly over: Promise<void>;
  #version = 0;
  #waiting: { after: number; tell: (game: Game) => void }[] = [];

  constructor(gameId: string) {
    const url = `${address.replace("http", "ws")}/v1/games/${gameId}/stream`;
    const socket = new WebSocket(url, "hotdice.v1");
    this.over = new Promise((resolve, reject) => {
      socket.onerror = () => reject(new Error("the stream broke"));
      socket.onclose = (event) => reject(new Error(`closed with ${event.code}`));
      socket.onmessage = (message) => {
        try {
          this.#take(JSON.parse(message.data) as Frame);
        } catch (fault) {
          reject(fault);
        }
        if (this.game?.status === "finished") {
          resolve();
          socket.close();
        }
      };
    });
  }

  #take(frame: Frame) {
    if (frame.type === "state") {
      this.#version = frame.version;
    } else if (frame.type === "played") {
      for (const event of frame.events) {
        this.#version += 1;
        check(event.version === this.#version, "an event is missing");
        this.types.push(event.type);
      }
      this.frames += 1;
    } else return;
    const game = (this.game = frame.game);
    for (const { tell } of this.#waiting.filter(({ after }) => after < game.version)) tell(game);
    this.#waiting = this.#waiting.filter(({ after }) => after >= game.version);
  }

  /** The newest game, once it is newer than this version. */
  after(version: number): Promise<Game> {
    if (this.game && this.game.version > version) return Promise.resolve(this.game);
    return new Promise((tell, fail) => {
      this.#waiting.push({ after: version, tell });
      setTimeout(fail, PATIENCE_MS, new Error(`nothing was told after ${version}`)).unref();
    });
  }
}

function bestOf(selections: Selection[]) {
  const best = selections.reduce((a, b) => (b.points > a.points ? b : a));
  return { dice: best.dice, ...(best.wild_face ? { wild_face: best.wild_face } : {}) };
}

type Guest = Awaited<ReturnType<typeof newGuest>>;

/** Gives the command of a cautious player. */
async function move(player: Guest, game: Game): Promise<Game> {
  const { legal, turn } = game;
  check(legal !== null && turn !== null, "somebody is to move");
  const params = {
    path: { game_id: game.id },
    header: { "Idempotency-Key": crypto.randomUUID(), "If-Match": `"${game.version}"` },
  };
  if (turn.phase === "to_select" && !turn.dice.some((die) => die.selected)) {
    const body = bestOf(legal.selections);
    return data(await player.POST("/v1/games/{game_id}/select", { params, body })).game;
  }
  const wins = legal.bank?.total === game.rules.target;
  if (legal.commands.includes("bank") && (turn.score >= ENOUGH || wins))
    return data(await player.POST("/v1/games/{game_id}/bank", { params, body: {} })).game;
  return data(await player.POST("/v1/games/{game_id}/roll", { params, body: {} })).game;
}

const ana = await newGuest("Ana");
let game: Game = data(await ana.POST("/v1/games", { body: { rules: { preset } } }));
const params = { path: { game_id: game.id } };
const follower = new Follower(game.id);
const players = [ana];
if (game.seats.some((seat) => seat.kind === "human" && seat.player_id === null)) {
  const bo = await newGuest("Bo");
  const body = { join_code: game.join_code };
  game = data(await bo.POST("/v1/games/{game_id}/join", { params, body }));
  players.push(bo);
}
game = data(await ana.POST("/v1/games/{game_id}/start", { params, body: {} })).game;

let refused = false;
while (game.status !== "finished") {
  const mover = game.legal === null ? undefined : players[game.legal.seat];
  if (!mover) {
    game = await follower.after(game.version);
    continue;
  }
  const other = players.find((player) => player !== mover);
  if (other && !refused) {
    const { error } = await other.POST("/v1/games/{game_id}/roll", { params, body: {} });
    check(error?.code === "not_your_turn", "who is not to move is refused");
    check(error.status === 409, "a refusal of the rules is a conflict");
    refused = true;
  }
  game = await move(mover, game);
}

await follower.over;
const { join_code: _, ...shown } = data(await ana.GET("/v1/games/{game_id}", { params }));
const alike = (one: Game) => JSON.stringify({ ...one, now: "" });
check(follower.game !== null && alike(follower.game) === alike(shown), "frames lead to the game");

/** The events after a version, and the version that the next page comes after. */
async function pageAfter(after: number) {
  const query = { after };
  const page = data(await ana.GET("/v1/games/{game_id}/events", { params: { ...params, query } }));
  check(typeof page !== "string", "a page, where no stream is asked for");
  return page;
}

const logged: string[] = [];
for (let after: number | null = 0; after !== null; ) {
  const page = await pageAfter(after);
  logged.push(...page.items.map((event) => event.type));
  after = page.next;
}

console.log(
  JSON.stringify({
    game_id: game.id,
    version: game.version,
    reason: game.result?.reason,
    winners: game.result?.winners,
    frames: follower.frames,
    types: follower.types,
    logged,
  }),
);
