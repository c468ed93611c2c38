// Answers questions to the JavaScript verifier, one JSON line each: tests start node once for many.
import { createInterface } from "node:readline";
import * as v from "../../app/pages/verify.js";

const hex = v.hex;
const bytes = (text) => (text === null ? v.ZERO : v.unhex(text));
const answers = {
  verify: ({ base64, kept }) => v.verify(new Uint8Array(Buffer.from(base64, "base64")), kept ?? {}),
  words: ({ base64 }) => v.words(v.verify(new Uint8Array(Buffer.from(base64, "base64")))),
  sha256: ({ data }) => hex(v.sha256(bytes(data))),
  hmac: ({ key, data }) => hex(v.hmac(bytes(key), bytes(data))),
  server_commit: ({ game, e, secret }) => hex(v.serverCommit(game, e, bytes(secret))),
  seat_commit: ({ game, e, seat, value }) => hex(v.seatCommit(game, e, seat, bytes(value))),
  seal: ({ game, e, before, commit, parts }) =>
    hex(v.seal(game, e, bytes(before), bytes(commit), parts.map(([seat, value]) => [seat, bytes(value)]))),
  block: ({ secret, game, e, i, sealed, j }) => hex(v.block(bytes(secret), game, e, i, bytes(sealed), j)),
  faces: ({ secret, game, e, i, sealed, sides }) => v.faces(bytes(secret), game, e, i, bytes(sealed), sides),
  link: ({ game, version, before, data }) => hex(v.link(game, version, bytes(before), new TextEncoder().encode(data))),
  seeded: ({ seed }) => hex(v.seeded(seed)),
  canonical: ({ text }) => v.canonical(v.parse(text)),
};

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  let answer;
  try {
    answer = { answer: answers[question.ask](question) };
  } catch (error) {
    answer = { error: error.stack };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
