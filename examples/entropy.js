// What one seat contributes to the dice of a game: for browsers and node (18 or newer), no packages.
//
//   const mine = new Contribution(gameId, seat);
//   PUT /v1/games/{id}/entropy  await mine.commit(epoch)   in the lobby; epoch 0 unless attempts failed
//   PUT /v1/games/{id}/entropy  await mine.reveal(epoch)   while the game's status is "sealing"
//
// Why, and what the server does with it: docs/fairness.md.

const bytes = (text) => new TextEncoder().encode(text);
const hex = (data) => [...data].map((byte) => byte.toString(16).padStart(2, "0")).join("");

function u32(number) {
  const data = new Uint8Array(4);
  new DataView(data.buffer).setUint32(0, number);
  return data;
}

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const lp = (data) => joined(u32(data.length), data);

// What is published before the seed is: 64 hex digits.
export async function seatCommit(gameId, epoch, seat, seed) {
  const tag = [lp(bytes("pf1/seat-commit")), lp(bytes(gameId)), u32(epoch), u32(seat)];
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...tag, lp(seed)))));
}

// A fresh value for each attempt, kept until the game is over.
export class Contribution {
  constructor(gameId, seat) {
    this.gameId = gameId;
    this.seat = seat;
    this.seeds = new Map();
  }

  // The body for the lobby; epoch is the number of the next attempt.
  async commit(epoch = 0) {
    return { commit: await this.#commitTo(epoch) };
  }

  // The body while the game is sealed.
  async reveal(epoch) {
    return { seed: hex(this.seeds.get(epoch)), next_commit: await this.#commitTo(epoch + 1) };
  }

  async #commitTo(epoch) {
    if (!this.seeds.has(epoch)) {
      this.seeds.set(epoch, crypto.getRandomValues(new Uint8Array(32)));
    }
    return seatCommit(this.gameId, epoch, this.seat, this.seeds.get(epoch));
  }
}
